import { configuredPlaces, openBase, type Places, settingsOfCommand } from './base.ts'
import { type Config, loadConfig } from './config.ts'
import { changeRoles, ROLES } from './domain/user/index.ts'
import { messageOf, StartError } from './kernel/errors.ts'
import { loadOrCreateSecret, readRuntime } from './local/runtime.ts'

const USAGE = `Usage: npm run admin -- grant|revoke <email> [${ROLES.join('|')}]`

/**
 * `npm run admin -- grant <email> [role]`: makes the first administrator, who makes the others over
 * the interface. Works on DATABASE_URL, or on the running embedded instance.
 */
const main = async (words: readonly string[]): Promise<string> => {
  const [command, email, named = 'admin', ...more] = words
  const role = ROLES.find((one) => one === named)
  const known = command === 'grant' || command === 'revoke'
  if (!known || email === undefined || role === undefined || more.length > 0) {
    throw new StartError(USAGE)
  }
  const config = loadConfig()
  const base = await openBase(settingsOfCommand(config), placesOf(config), 'api')
  try {
    const who = { email: email.trim().toLowerCase() }
    const { user } = await changeRoles(base.systemContext, who, { [command]: [role] })
    return `${user.email} is now: ${user.roles.join(', ') || 'donor and creator only'}.`
  } finally {
    await base.stop()
  }
}

const placesOf = (config: Config): Places => {
  const runtime = config.databaseUrl === undefined ? readRuntime(config.dataDir) : undefined
  if (!runtime) return configuredPlaces(config)
  return {
    databaseUrl: runtime.databaseUrl,
    chains: runtime.chains,
    secret: config.secret ?? loadOrCreateSecret(config.dataDir),
  }
}

try {
  console.log(await main(process.argv.slice(2)))
} catch (error) {
  console.error(messageOf(error))
  process.exitCode = 1
}
