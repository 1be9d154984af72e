import { onTestFinished } from 'vitest'
import { type FaultProxy, startFaultProxy } from '../../support/fault-proxy.ts'
import { type RpcServer, serveRpc } from '../../support/rpc-server.ts'
import type { TestChain } from '../../support/test-chain.ts'

/** A node that answers as a test says. It is closed when the test is over. */
export const serveNode = async (answer: Parameters<typeof serveRpc>[0]): Promise<RpcServer> => {
  const node = await serveRpc(answer)
  onTestFinished(() => node.close())
  return node
}

/** A node of the chain, whose answers a test can change. */
export const serveChain = (chain: TestChain): Promise<RpcServer> =>
  serveNode((method, params) => chain.call(method, params))

/** Three nodes of the chain, each behind a proxy that can be at fault. */
export const threeProxies = async ({ url }: TestChain): Promise<ThreeProxies> => [
  await startFaultProxy(url),
  await startFaultProxy(url),
  await startFaultProxy(url),
]
type ThreeProxies = [FaultProxy, FaultProxy, FaultProxy]
