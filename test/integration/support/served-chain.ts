import { onTestFinished } from 'vitest'
import { type FaultProxy, startFaultProxy } from '../../support/fault-proxy.ts'
import { type RpcServer, serveRpc } from '../../support/rpc-server.ts'
import type { TestChain } from '../../support/test-chain.ts'

/** Starts a node that answers as the test says. The node is closed after the test. */
export const serveNode = async (answer: Parameters<typeof serveRpc>[0]): Promise<RpcServer> => {
  const node = await serveRpc(answer)
  onTestFinished(() => node.close())
  return node
}

/** Starts a node of the chain. A test can change the node's answers. */
export const serveChain = (chain: TestChain): Promise<RpcServer> =>
  serveNode((method, params) => chain.call(method, params))

/** Starts three nodes of the chain, each behind a proxy that can inject faults. */
export const threeProxies = async ({ url }: TestChain): Promise<ThreeProxies> => [
  await startFaultProxy(url),
  await startFaultProxy(url),
  await startFaultProxy(url),
]
type ThreeProxies = [FaultProxy, FaultProxy, FaultProxy]
