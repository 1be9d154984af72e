import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLIENTS, python, run, testWith } from './support/programs.ts'

const PACKAGE = join(CLIENTS, 'python')
const PYRIGHT = join(CLIENTS, '../node_modules/pyright/index.js')
/** The interpreter of Debian, because it is the one that sees Debian's hatchling. */
const SYSTEM_PYTHON = '/usr/bin/python3'

const hasHatchling =
  spawnSync(SYSTEM_PYTHON, ['-c', 'import hatchling.build'], { stdio: 'ignore' }).status === 0
const hatchling = hasHatchling ? { name: 'hatchling', command: SYSTEM_PYTHON } : null

/** A program of a user, which must have exact types. */
const CONSUMER = `
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

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fundproof-python-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ok = async (command: string, args: string[], cwd = folder): Promise<string> => {
  const { code, output } = await run(command, args, { cwd })
  expect(code, output).toBe(0)
  return output
}

describe('the Python package', () => {
  test('has exact types, by the strict rules of pyright', async () => {
    expect(await ok(process.execPath, [PYRIGHT, '-p', PACKAGE])).toContain('0 errors')
  })

  test('gives exact types to a program that uses it', async () => {
    const strict = { typeCheckingMode: 'strict', reportUnnecessaryTypeIgnoreComment: true }
    const config = { ...strict, include: ['consumer.py'], extraPaths: [join(PACKAGE, 'src')] }
    writeFileSync(join(folder, 'consumer.py'), CONSUMER)
    writeFileSync(join(folder, 'pyrightconfig.json'), JSON.stringify(config))
    expect(await ok(process.execPath, [PYRIGHT, '-p', folder])).toContain('0 errors')
  })

  testWith(hatchling, 'hatchling for the system Python (Debian package python3-hatchling)')(
    'becomes a wheel that holds its code and types, and runs where it is installed',
    async () => {
      const source = join(folder, 'source')
      cpSync(PACKAGE, source, { recursive: true })
      await ok(SYSTEM_PYTHON, ['-m', 'hatchling', 'build', '-t', 'wheel', '-d', folder], source)
      const wheel = readdirSync(folder).find((name) => name.endsWith('.whl')) ?? ''
      expect(wheel).toMatch(/^fundproof-.*-py3-none-any\.whl$/)

      const list = 'import sys, zipfile; print("\\n".join(zipfile.ZipFile(sys.argv[1]).namelist()))'
      const files = (await ok(SYSTEM_PYTHON, ['-c', list, join(folder, wheel)])).trim().split('\n')
      const modules = readdirSync(join(PACKAGE, 'src'), { recursive: true, encoding: 'utf8' })
      const wanted = modules.filter((path) => path.endsWith('.py') || path.endsWith('py.typed'))
      const about = /^fundproof-[^/]*\.dist-info\//
      expect(files.filter((path) => !about.test(path)).sort()).toEqual(wanted.sort())

      const venv = join(folder, 'venv')
      await ok(python?.command ?? SYSTEM_PYTHON, ['-m', 'venv', venv])
      const [pip, installed] = [join(venv, 'bin/pip'), join(venv, 'bin/python')]
      await ok(pip, ['install', '--no-deps', '--no-index', join(folder, wheel)])
      const program = 'import fundproof, fundproof.webhooks; print(fundproof.Fundproof.__name__)'
      expect(await ok(installed, ['-I', '-c', program])).toContain('Fundproof')
    },
  )
})
