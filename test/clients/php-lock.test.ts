import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { SESSION, startFaultServer } from './support/fault-server.ts'
import { CLIENTS, php, run, testWith } from './support/programs.ts'

/** Returns the token store in the README of the PHP client. */
const storeOfReadme = (): string => {
  const text = readFileSync(join(CLIENTS, 'php/README.md'), 'utf8')
  const [store = ''] = /^final class TokenFile .*?^}$/ms.exec(text) ?? []
  return store
}

const program = `<?php
require '${CLIENTS}/php/init.php';
use Fundproof\\Client;
use Fundproof\\TokenPair;
use Fundproof\\TokenStore;
${storeOfReadme()}
$store = new TokenFile(__DIR__ . '/tokens.json');
$client = new Client(
    tokens: new TokenPair('old', 'refresh-1', new DateTimeImmutable('-1 minute')),
    onTokens: static fn () => usleep(300_000),
    tokenStore: $store,
);
echo $client->sandbox->createWallet()->address, "\\n";
`

/** The stored tokens of a session that ended an hour ago. */
const leftOver = () => {
  const ended = new Date(Date.now() - 3_600_000).toISOString()
  return JSON.stringify(['older', 'refresh-0', ended])
}

testWith(php)(
  'eight processes that share a PHP session refresh it once, also with an old file',
  async ({ folder, onTestFinished }) => {
    const server = await startFaultServer([SESSION])
    onTestFinished(() => server.close())
    writeFileSync(join(folder, 'program.php'), program)
    writeFileSync(join(folder, 'tokens.json'), leftOver())
    const env = { FUNDPROOF_BASE_URL: server.url(SESSION.name), FUNDPROOF_ENVIRONMENT: 'sandbox' }

    const ended = await Promise.all(
      Array.from({ length: 8 }, () => run(php.command, ['program.php'], { cwd: folder, env })),
    )

    for (const { code, output } of ended) {
      expect(code, output).toBe(0)
      expect(output).toMatch(/^Zoë ☂ 𝄞\n$/)
    }
    const paths = server.of(SESSION.name).map(({ path }) => path)
    expect(paths.filter((path) => path === '/api/auth/refresh')).toHaveLength(1)
  },
)
