import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { CLIENTS, found, php, run, testWith } from './support/programs.ts'

const PACKAGE = join(CLIENTS, 'php')

const REMEDY = 'Composer (Debian package composer)'
const testWithComposer = testWith(found('Composer', 'composer', ['--version'], REMEDY))

/** Returns the commands of the README that install the package. */
const installCommands = (): string => {
  const text = readFileSync(join(PACKAGE, 'README.md'), 'utf8')
  const block = /^```sh\n(.*?)^```$/ms.exec(text)?.[1] ?? ''
  return block.replace('<path to the checkout>', join(CLIENTS, '..'))
}

/**
 * A program that loads the client from these files. With two files, as if two plugins of a site
 * load it.
 */
const consumer = (files: readonly string[]): string => `<?php
declare(strict_types=1);
${files.map((file) => `require '${file}';\n`).join('')}
$fake = new Fundproof\\Transport\\FakeTransport([
    Fundproof\\Transport\\FakeTransport::json(200, ['status' => 'ok', 'version' => '1.0.0']),
]);
$client = new Fundproof\\Client(environment: 'sandbox', baseUrl: 'https://fake.test', transport: $fake);
echo $client->system->health()->status, ' ', Fundproof\\Client::VERSION, "\\n";
`

const ok = async (command: string, args: readonly string[], cwd: string): Promise<string> => {
  const env = { COMPOSER_ALLOW_SUPERUSER: '1', COMPOSER_HOME: join(cwd, '.composer') }
  const { code, output } = await run(command, args, { cwd, env })
  expect(code, output).toBe(0)
  return output
}

describe('the PHP package', () => {
  testWithComposer(
    'is valid, and installs by the commands of its README, without the network',
    async ({ folder }) => {
      await ok('composer', ['validate', '--strict', join(PACKAGE, 'composer.json')], folder)
      mkdirSync(join(folder, '.composer'), { recursive: true })
      const settings = { repositories: { 'packagist.org': false } }
      writeFileSync(join(folder, '.composer/config.json'), JSON.stringify(settings))
      await ok('sh', ['-e', '-c', installCommands()], folder)
      const own = join(PACKAGE, 'init.php')
      for (const files of [['vendor/autoload.php'], ['vendor/autoload.php', own], [own]]) {
        writeFileSync(join(folder, 'program.php'), consumer(files))
        expect(await ok('php', ['program.php'], folder)).toMatch(/^ok \d+\.\d+\.\d+\n$/)
      }
    },
  )

  testWithComposer(
    'holds its code, its README, its changelog and its licence, and nothing else',
    async ({ folder }) => {
      const archive = ['archive', '--format=tar', `--dir=${folder}`, '--file=fundproof']
      await ok('composer', [...archive, `--working-dir=${PACKAGE}`], folder)
      const files = (await ok('tar', ['tf', 'fundproof.tar'], folder)).split('\n').filter(Boolean)
      const others = files.filter((file) => !/^src\/([A-Za-z0-9]+\/)*([A-Z]\w+\.php)?$/.test(file))
      expect(others.toSorted()).toEqual([
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'composer.json',
        'init.php',
        'phpstan.neon',
      ])
    },
  )

  testWith(php)('compiles each file', async () => {
    const check = `
      foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator('.')) as $file) {
        if ($file->getExtension() !== 'php') continue;
        try {
          token_get_all(file_get_contents($file), TOKEN_PARSE);
        } catch (ParseError $error) {
          exit("$file: {$error->getMessage()}");
        }
      }`
    expect(await ok('php', ['-r', check], PACKAGE)).toBe('')
  })
})
