import { loadDemoConfig } from '../../config/config.ts'
import { messageOf, StartError } from '../../kernel/errors.ts'
import { readRuntime } from '../../local/runtime.ts'
import { type ApiClient, createApiClient, type Session } from './client.ts'
import { connectDevChain, type DevChain } from './dev-chain.ts'
import { showDonations } from './donations.ts'
import { startReceiver } from './receiver.ts'
import { showRefunds } from './refunds.ts'
import { showRelease } from './release.ts'
import { createStage } from './stage.ts'
import { expectThat, say } from './steps.ts'

/**
 * `npm run demo`: runs all steps of donations, releases and refunds on a running instance, with
 * real transactions.
 * Prints one line per step. Exits with code 1 at the first step that fails.
 */
const main = async (): Promise<void> => {
  const { baseUrl: givenUrl, rpcUrl, dataDir } = loadDemoConfig()
  const runtime = readRuntime(dataDir)
  const baseUrl = givenUrl ?? runtime?.apiUrl
  const rpc = rpcUrl ?? runtime?.chains[0]?.rpc[0]
  const token = runtime?.chains[0]?.tokens[0]?.address
  if (!rpc || !token || !baseUrl) {
    throw new StartError('The demo needs a running instance: `npm start` in another terminal.')
  }
  const api = createApiClient(baseUrl)
  await api.call('GET', '/readyz').catch((error) => {
    throw new StartError(`Nothing is ready at ${baseUrl}: ${messageOf(error)}`)
  })
  const chain = await connectDevChain(rpc, token)
  const receiver = await startReceiver()
  try {
    const creator = await api.signUp('carla')
    if (!(await isSameChain(api, chain, creator))) {
      throw new StartError(
        `The API at ${baseUrl} uses another chain than ${rpc}. Set BASE_URL and DATA_DIR to one instance.`,
      )
    }
    const stage = await createStage({ api, chain, receiver, creator }, dataDir)
    await showDonations(stage)
    await showRelease(stage)
    await showRefunds(stage)
    expectThat('Every webhook was signed', receiver.refused, [])
    say(`all ${receiver.events.length} webhooks verified. Every step gave the expected result.`)
  } finally {
    await receiver.close()
  }
}

/** Whether the API uses this chain: the chain must know a transaction that the API has sent. */
const isSameChain = async (api: ApiClient, chain: DevChain, user: Session): Promise<boolean> => {
  const address = chain.newAddress()
  const { txHashes } = await api.call('POST', '/api/sandbox/faucet', { address }, user.token)
  return await chain.knows((txHashes as string[])[0] ?? '')
}

try {
  await main()
} catch (error) {
  console.error(`The demo failed: ${messageOf(error)}`)
  process.exitCode = 1
}
