import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { SESSION, startFaultServer } from './support/fault-server.ts'
import { CLIENTS, php, run, testWith } from './support/programs.ts'

/** The lock that the README of the PHP client shows. */
const lockOfReadme = (): string => {
  const text = readFileSync(join(CLIENTS, 'php/README.md'), 'utf8')
  const [lock = ''] = /^\$lock = .*?^};$/ms.exec(text) ?? []
  return lock
}

const program = `<?php
require '${CLIENTS}/php/init.php';
use Fundproof\\Client;
use Fundproof\\TokenPair;
${lockOfReadme()}
$client = new Client(
    tokens: new TokenPair('old', 'refresh-1'),
    onTokens: static fn () => usleep(300_000),
    lock: $lock,
);
echo $client->sandbox->createWallet()->address, "\\n";
`

testWith(php)(
  'processes that share a PHP session refresh it once',
  async ({ folder, onTestFinished }) => {
    const server = await startFaultServer([SESSION])
    onTestFinished(() => server.close())
    writeFileSync(join(folder, 'program.php'), program)
    const env = { FUNDPROOF_BASE_URL: `${server.url}/0`, FUNDPROOF_ENVIRONMENT: 'sandbox' }

    const ended = await Promise.all(
      Array.from({ length: 4 }, () => run(php.command, ['program.php'], { cwd: folder, env })),
    )

    for (const { code, output } of ended) {
      expect(code, output).toBe(0)
      expect(output).toMatch(/^Zoë ☂ 𝄞\n$/)
    }
    const paths = server.of(SESSION.name).map(({ path }) => path)
    expect(paths.filter((path) => path === '/api/auth/refresh')).toHaveLength(1)
  },
)
