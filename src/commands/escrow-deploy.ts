import { escrow, escrowFactory } from '../../contracts-abi/index.ts'
import { escrowAddress } from '../escrow/address.ts'
import { deployCall } from '../escrow/calls.ts'
import { SAMPLE_TERMS } from '../escrow/sample-terms.ts'
import { messageOf, StartError } from '../kernel/errors.ts'
import { command, parseOptions } from './command.ts'
import { type OneNode, openNode } from './one-node.ts'

const USAGE = `npm run escrow:deploy -- --rpc URL

  --rpc URL   a node of the chain
  --help      prints this

Prints the transaction that deploys the escrow factory as JSON. Notes go to the standard error. Any
account may send the transaction. The factory has the same address on every chain. First simulates
an escrow, for which the node needs the state overrides of eth_call. Exits with 0 if the factory can
be deployed or is there already, and with 2 if not, or if the chain cannot run an escrow.`

const PROXY_SOURCE = 'https://github.com/Arachnid/deterministic-deployment-proxy'

/** Runs `npm run escrow:deploy`, described in USAGE. It needs no configuration and no key. */
const main = async (url: string): Promise<number> => {
  const { address, deploymentProxy, deploymentData, deployedBytecode } = escrowFactory
  const node = openNode(url)
  const call = async (method: string, params: unknown[]): Promise<string> =>
    String(await node.call(method, params)).toLowerCase()
  const chainId = Number(await call('eth_chainId', []))
  console.error(`The factory's address on chain ${chainId} is ${address}.`)
  const code = await call('eth_getCode', [address, 'latest'])
  if (code !== '0x' && code !== deployedBytecode) {
    throw new StartError(`Other code is at ${address} on chain ${chainId}.`)
  }
  await requireEscrows(node, chainId)
  if (code === deployedBytecode) {
    console.error('The factory is there already. There is nothing to send.')
    return 0
  }
  if ((await call('eth_getCode', [deploymentProxy, 'latest'])) === '0x') {
    throw new StartError(
      `Chain ${chainId} has no deployment proxy at ${deploymentProxy}. Deploy the proxy first: ${PROXY_SOURCE}`,
    )
  }
  const transaction = { to: deploymentProxy, data: deploymentData, value: '0x0' }
  const made = await call('eth_call', [transaction, 'latest'])
  if (made !== address) {
    throw new StartError(`Chain ${chainId} did not make the factory in a simulation.`)
  }
  console.error(`The deployment proxy ${deploymentProxy} is there. Send this transaction:`)
  console.log(JSON.stringify({ chainId, ...transaction, value: '0' }, null, 2))
  return 0
}

/**
 * Simulates an escrow behind the factory, whose code `eth_call` takes from a state override. The
 * factory alone runs on chains without the Cancun fork, on which no escrow can ever pay.
 *
 * @throws StartError if the simulation does not make the escrow
 */
const requireEscrows = async (node: OneNode, chainId: number): Promise<void> => {
  const { address, deployedBytecode, implementation } = escrowFactory
  const { data } = deployCall(SAMPLE_TERMS)
  const codes = {
    [address]: { code: deployedBytecode },
    [implementation]: { code: escrow.deployedBytecode },
  }
  const made = await node
    .call('eth_call', [{ to: address, data }, 'latest', codes])
    .then((result) => String(result).toLowerCase(), messageOf)
  if (made.endsWith(escrowAddress(SAMPLE_TERMS).slice(2))) return
  throw new StartError(
    `Chain ${chainId} did not make an escrow in a simulation (${made}). The chain needs the Cancun fork, and the node needs the state overrides of eth_call.`,
  )
}

/** Reads the node's URL from the command line. Throws StartError if it is missing or invalid. */
const readUrl = (args: readonly string[]): string => {
  const config = { args: [...args], options: { rpc: { type: 'string' } } } as const
  const { rpc } = parseOptions(config, USAGE).values
  if (rpc === undefined) throw new StartError(USAGE)
  if (/^https?:$/.test(URL.parse(rpc)?.protocol ?? '')) return rpc
  throw new StartError('--rpc needs a URL that begins with http:// or https://.')
}

const run = command(USAGE, 2, async (words) => main(readUrl(words)))

process.exitCode = await run(process.argv.slice(2))
