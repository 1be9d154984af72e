import { parseArgs } from 'node:util'
import { escrow, escrowFactory } from '../../contracts-abi/index.ts'
import { escrowAddress } from '../chain/escrow/address.ts'
import { deployCall } from '../chain/escrow/calls.ts'
import { SAMPLE_TERMS } from '../chain/escrow/sample-terms.ts'
import { messageOf, StartError } from '../kernel/errors.ts'

const USAGE = `npm run escrow:deploy -- --rpc URL

  --rpc URL   a node of the chain
  --help      prints this

Prints the transaction that deploys the escrow factory as JSON. Notes go to the standard error. Any
account may send the transaction. The factory has the same address on every chain. First simulates
an escrow, for which the node needs the state overrides of eth_call. Exits with 0 if the factory can
be deployed or is there already, and with 2 if not, or if the chain cannot run an escrow.`

const TIMEOUT_MS = 20_000
const PROXY_SOURCE = 'https://github.com/Arachnid/deterministic-deployment-proxy'

/** Runs `npm run escrow:deploy`, described in USAGE. It needs no configuration and no key. */
const main = async (url: string): Promise<void> => {
  const { address, deploymentProxy, deploymentData, deployedBytecode } = escrowFactory
  const chainId = Number(await call(url, 'eth_chainId', []))
  console.error(`The factory's address on chain ${chainId} is ${address}.`)
  const code = await call(url, 'eth_getCode', [address, 'latest'])
  if (code !== '0x' && code !== deployedBytecode) {
    throw new StartError(`Other code is at ${address} on chain ${chainId}.`)
  }
  await requireEscrows(url, chainId)
  if (code === deployedBytecode) {
    console.error('The factory is there already. There is nothing to send.')
    return
  }
  if ((await call(url, 'eth_getCode', [deploymentProxy, 'latest'])) === '0x') {
    throw new StartError(
      `Chain ${chainId} has no deployment proxy at ${deploymentProxy}. Deploy the proxy first: ${PROXY_SOURCE}`,
    )
  }
  const transaction = { to: deploymentProxy, data: deploymentData, value: '0x0' }
  const made = await call(url, 'eth_call', [transaction, 'latest'])
  if (made !== address) {
    throw new StartError(`Chain ${chainId} did not make the factory in a simulation.`)
  }
  console.error(`The deployment proxy ${deploymentProxy} is there. Send this transaction:`)
  console.log(JSON.stringify({ chainId, ...transaction, value: '0' }, null, 2))
}

/**
 * Simulates an escrow behind the factory, whose code `eth_call` takes from a state override. The
 * factory alone runs on chains without the Cancun fork, on which no escrow can ever pay.
 *
 * @throws StartError if the simulation does not make the escrow
 */
const requireEscrows = async (url: string, chainId: number): Promise<void> => {
  const { address, deployedBytecode, implementation } = escrowFactory
  const { data } = deployCall(SAMPLE_TERMS)
  const codes = {
    [address]: { code: deployedBytecode },
    [implementation]: { code: escrow.deployedBytecode },
  }
  const made = await call(url, 'eth_call', [{ to: address, data }, 'latest', codes]).catch(
    messageOf,
  )
  if (made.endsWith(escrowAddress(SAMPLE_TERMS).slice(2))) return
  throw new StartError(
    `Chain ${chainId} did not make an escrow in a simulation (${made}). The chain needs the Cancun fork, and the node needs the state overrides of eth_call.`,
  )
}

/** Calls a method whose result is a text in hex. Throws StartError if the node gives no result. */
const call = async (url: string, method: string, params: unknown[]): Promise<string> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new StartError(`The node ${url} did not answer: ${messageOf(error)}.`)
  })
  const reply: unknown = await response.json().catch(() => null)
  const fault = member(member(reply, 'error'), 'message')
  if (fault !== undefined) throw new StartError(`The node refused ${method}: ${String(fault)}.`)
  const result = member(reply, 'result')
  if (typeof result === 'string') return result.toLowerCase()
  throw new StartError(`${url} did not answer as a node does (HTTP ${response.status}).`)
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

/** Reads the node's URL from the command line. Throws StartError if it is missing or invalid. */
const readUrl = (): string | undefined => {
  const { rpc, help } = parse()
  if (help) return undefined
  if (rpc === undefined) throw new StartError(USAGE)
  if (!/^https?:$/.test(URL.parse(rpc)?.protocol ?? '')) {
    throw new StartError('--rpc needs a URL that begins with http:// or https://.')
  }
  return rpc
}

const parse = () => {
  try {
    const options = { rpc: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const
    return parseArgs({ options }).values
  } catch (error) {
    throw new StartError(`${messageOf(error)}\n\n${USAGE}`)
  }
}

try {
  const url = readUrl()
  if (url === undefined) console.log(USAGE)
  else await main(url)
} catch (error) {
  console.error(messageOf(error))
  process.exitCode = 2
}
