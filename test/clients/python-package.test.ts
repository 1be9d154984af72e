import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect } from 'vitest'
import { readModel } from '../../clients/generate/read-model.ts'
import { pythonProgram } from './support/method-programs.ts'
import { CLIENTS, found, python, run, test, testWith } from './support/programs.ts'

const PACKAGE = join(CLIENTS, 'python')
const PYRIGHT = join(CLIENTS, '../node_modules/pyright/index.js')
/** The interpreter of Debian, because only this one finds Debian's hatchling. */
const SYSTEM_PYTHON = '/usr/bin/python3'

const REMEDY = 'hatchling for the system Python (Debian package python3-hatchling)'
const hatchling = found('hatchling', SYSTEM_PYTHON, ['-c', 'import hatchling.build'], REMEDY)

const mypy = found('mypy', 'mypy', ['--version'], 'mypy (Debian package mypy)')

/** A user's program, for which the package must give exact types. */
const CONSUMER = `# pyright: strict, reportUnnecessaryTypeIgnoreComment=true
from decimal import Decimal

from fundproof import ApiError, AsyncFundproof, Fundproof, webhooks
from fundproof.types import Money, TransactionInput


def record(client: Fundproof, campaign_id: str, tx_hash: str) -> Decimal | None:
    donation = client.donations.record(
        campaign_id=campaign_id,
        amount=Money("25.10", "USDC"),
        transaction=TransactionInput(tx_hash, "0x"),
        options={"timeout": 5, "idempotency_key": "order-1"},
    )
    done = client.donations.wait_for(donation.id, timeout=1)
    for each in client.donations.list(status=["completed"]):
        value: Decimal = each.amount.value
        print(value, donation.response and donation.response.request_id)
    return done.credited_amount.value if done.credited_amount else None


def receive(body: bytes, headers: dict[str, str]) -> str | None:
    event = webhooks.verify(body, headers, ["whsec_a", "whsec_b"])
    if event.event == "donation.completed":
        return event.data.donation_id
    return None


async def titles(client: AsyncFundproof) -> list[str]:
    page = await client.campaigns.list()
    print(page.total)
    return [each.title async for each in client.campaigns.list(status="active")]


def code_of(error: ApiError) -> str | None:
    return error.code


def wrong(client: Fundproof) -> None:
    client.sandbox.transfer(to="0x", amount=25.1, currency="USDC")  # pyright: ignore[reportArgumentType]
    client.donations.get(1)  # pyright: ignore[reportArgumentType]
`

/** The program in the README, which must have exact types too. */
const readmeProgram = (): string => {
  const text = readFileSync(join(PACKAGE, 'README.md'), 'utf8')
  return [...text.matchAll(/^```python\n(.*?)^```$/gms)].map(([, code = '']) => code).join('\n')
}

const calls = (isAsync: boolean): string =>
  `# pyright: strict, reportUnusedVariable=false\n${pythonProgram(readModel(), isAsync)}`

/** The programs of users by file name. */
const PROGRAMS = new Map([
  ['consumer.py', CONSUMER],
  ['calls.py', calls(false)],
  ['async_calls.py', calls(true)],
  ['readme.py', `# pyright: strict\n${readmeProgram()}`],
])

const ok = async (command: string, args: string[], cwd: string): Promise<string> => {
  const { code, output } = await run(command, args, { cwd })
  expect(code, output).toBe(0)
  return output
}

type Checked = {
  generalDiagnostics: { file: string; message: string }[]
  summary: { filesAnalyzed: number }
}

describe('the Python package', () => {
  let checked: Checked
  let files: string[]
  /** The messages of pyright about the selected files. */
  const messages = (isOf: (name: string) => boolean) =>
    checked.generalDiagnostics.filter(({ file }) => isOf(basename(file)))

  // One run checks the package and all programs, because a run reads all types of the package.
  beforeAll(async () => {
    const copy = mkdtempSync(join(tmpdir(), 'fundproof-python-'))
    cpSync(PACKAGE, copy, { recursive: true })
    for (const [name, text] of PROGRAMS) writeFileSync(join(copy, 'test', name), text)
    files = readdirSync(copy, { recursive: true, encoding: 'utf8' })
    const { output } = await run(process.execPath, [PYRIGHT, '--outputjson'], { cwd: copy })
    rmSync(copy, { recursive: true })
    checked = JSON.parse(output) as Checked
  }, 180_000)

  test('has exact types, by the strict rules of pyright', () => {
    expect(messages((name) => !PROGRAMS.has(name))).toEqual([])
    const modules = files.filter((name) => name.endsWith('.py'))
    expect(checked.summary.filesAnalyzed).toBe(modules.length)
  })

  test('gives exact types to a program that uses it', () => {
    expect(messages((name) => name === 'consumer.py')).toEqual([])
  })

  test('gives exact types to a call of each method', () => {
    expect(messages((name) => name.endsWith('calls.py'))).toEqual([])
  })

  test('gives exact types to the program of its README', () => {
    expect(messages((name) => name === 'readme.py')).toEqual([])
  })

  testWith(mypy)('gives them by the strict rules of mypy too', async ({ folder }) => {
    const files = ['consumer.py', 'readme.py']
    for (const name of files) {
      const text = PROGRAMS.get(name)?.replaceAll(/pyright: ignore\S+/g, 'type: ignore')
      writeFileSync(join(folder, name), text ?? '')
    }
    // mypy treats the package as installed, so it checks only the types that programs get.
    const args = ['--strict', '--follow-imports=silent', '--cache-dir', join(folder, 'cache')]
    const { code, output } = await run(mypy.command, [...args, ...files], {
      cwd: folder,
      env: { MYPYPATH: join(PACKAGE, 'src') },
    })
    expect(code, output).toBe(0)
  })

  testWith(hatchling)(
    'becomes a wheel that holds its code and types, and runs where it is installed',
    async ({ folder }) => {
      const source = join(folder, 'source')
      cpSync(PACKAGE, source, { recursive: true })
      await ok(SYSTEM_PYTHON, ['-m', 'hatchling', 'build', '-t', 'wheel', '-d', folder], source)
      const wheel = readdirSync(folder).find((name) => name.endsWith('.whl')) ?? ''
      expect(wheel).toMatch(/^fundproof-.*-py3-none-any\.whl$/)

      const here = (command: string, args: string[]) => ok(command, args, folder)
      const list = 'import sys, zipfile; print("\\n".join(zipfile.ZipFile(sys.argv[1]).namelist()))'
      const inside = (await here(SYSTEM_PYTHON, ['-c', list, join(folder, wheel)]))
        .trim()
        .split('\n')
      const modules = readdirSync(join(PACKAGE, 'src'), { recursive: true, encoding: 'utf8' })
      const wanted = modules.filter((path) => path.endsWith('.py') || path.endsWith('py.typed'))
      const about = /^fundproof-[^/]*\.dist-info\//
      expect(inside.filter((path) => !about.test(path)).sort()).toEqual(wanted.sort())

      const venv = join(folder, 'venv')
      const installer = python.command || SYSTEM_PYTHON
      await here(installer, ['-m', 'venv', '--without-pip', venv])
      const pip = ['-m', 'pip', '--python', venv, '--disable-pip-version-check']
      await here(installer, [...pip, 'install', '--no-deps', '--no-index', join(folder, wheel)])
      const program = 'import fundproof, fundproof.webhooks; print(fundproof.Fundproof.__name__)'
      expect(await here(join(venv, 'bin/python'), ['-I', '-c', program])).toContain('Fundproof')
    },
  )
})
