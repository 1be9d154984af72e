import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  bun,
  CLIENTS,
  deno,
  type Interpreter,
  type Language,
  node,
  otherPythons,
  phpunit,
  python,
} from './programs.ts'

/** The tests of a client with one interpreter. */
export type Suite = {
  name: string
  language: Language
  interpreter: Interpreter
  /** The arguments that run all tests of the client in its folder. */
  all: readonly string[]
  /**
   * The arguments that run only the shared vectors. The run stops at the first failure if the
   * runner can.
   */
  vectors: readonly string[]
  env: Record<string, string>
}

const javascriptTests = (): string[] =>
  readdirSync(join(CLIENTS, 'javascript/test'))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `test/${name}`)

const javascript = (interpreter: Interpreter, runs: string[]) => ({
  name: `JavaScript in ${interpreter.name}`,
  language: 'javascript' as const,
  interpreter,
  all: [...runs, ...javascriptTests()],
  // Runs the file without Node's test runner, which takes four times longer to start.
  vectors: ['test/vectors.test.ts'],
  env: {},
})

const unittest = (interpreter: Interpreter): Suite => ({
  name: interpreter.name,
  language: 'python',
  interpreter,
  all: ['-m', 'unittest', 'discover', '-s', 'test'],
  vectors: ['-m', 'unittest', 'discover', '-f', '-s', 'test', '-p', 'test_vectors.py'],
  env: { PYTHONPATH: 'src', PYTHONDONTWRITEBYTECODE: '1' },
})

const PHPUNIT = ['--do-not-cache-result', '--bootstrap', 'init.php']

/**
 * The tests of each client with each interpreter. The first suite of a language also runs its
 * mutations.
 */
export const SUITES: readonly Suite[] = [
  javascript(node, ['--test', '--test-isolation=none']),
  javascript(deno, ['test', '--allow-all', '--no-check']),
  javascript(bun, ['test']),
  unittest(python),
  ...otherPythons().map(unittest),
  {
    name: 'PHP',
    language: 'php',
    interpreter: phpunit,
    all: [...PHPUNIT, 'test'],
    vectors: [...PHPUNIT, '--stop-on-failure', 'test/VectorsTest.php'],
    env: {},
  },
]
