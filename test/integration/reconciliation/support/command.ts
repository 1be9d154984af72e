import { onTestFinished } from 'vitest'
import { run } from '../../../../src/commands/reconcile/main.ts'
import { runCommand } from '../../../support/command.ts'
import { halfEnvironment } from '../../../support/halves.ts'
import { startProgram } from '../../../support/program.ts'

type Where = { databaseUrl: string; rpcUrl: string }

const environmentOf = (where: Where, env: Record<string, string>) => {
  const PRICES = JSON.stringify({ 'ETH/USDC': '2500', 'USDC/USD': '1', 'ETH/USD': '2500' })
  return halfEnvironment({ ...where, env: { PRICES, ...env } })
}

/** Runs `npm run reconcile` in this process. */
export const reconcile = (where: Where, args: readonly string[]) =>
  runCommand(run, args, environmentOf(where, {}))

/** Runs `npm run reconcile` in a new process, which is killed after the test. */
export const startCommand = (
  where: Where,
  args: readonly string[],
  env: Record<string, string> = {},
) => {
  const program = startProgram('src/commands/reconcile/main.ts', environmentOf(where, env), args)
  onTestFinished(async () => {
    program.kill('SIGKILL')
    await program.ended
  })
  return program
}
