import { keccak256 } from 'ethers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { headerHash } from '../../../support/faults/encode.ts'
import { RpcFault, type RpcHandler, serveRpc } from '../../../support/rpc-server.ts'
import { clientOf, codeOf } from '../support.ts'
import { account, common, hash, headerOf, number, rootOf, signedTransfer, typed } from './encode.ts'

const encoded = typed(0x7f, [[number(1), account('contract'), '0x0102', hash('on Ethereum')]])
const stateSync = { ...common, type: '0x7f', hash: keccak256(encoded) }

/**
 * A Polygon node with one block: a signed transaction, followed by a state-sync transaction by
 * default.
 */
const serve = async (ending: 'state sync' | 'signed' = 'state sync') => {
  const signed = await signedTransfer()
  const endsSigned = ending === 'signed'
  const transactionsRoot = rootOf(endsSigned ? [signed.encoded] : [signed.encoded, encoded])
  const { number: at, timestamp, ...roots } = headerOf({ transactionsRoot })
  const fields = {
    ...roots,
    sha3Uncles: hash('uncles'),
    miner: account('miner'),
    difficulty: '0x1',
    number: `0x${at}`,
    gasLimit: '0x1',
    gasUsed: '0x0',
    timestamp: `0x${timestamp}`,
    extraData: '0x',
    mixHash: hash('mix'),
    nonce: '0x0000000000000000',
  }
  const block = {
    ...fields,
    hash: headerHash(fields),
    transactions: endsSigned ? [signed.shown] : [signed.shown, stateSync],
  }
  const server = await serveRpc((method, [first]) => {
    if (method === 'eth_chainId') return '0x1'
    if (method.startsWith('eth_getBlockBy')) return block
    if (method === 'eth_getRawTransactionByHash') {
      if (first === stateSync.hash) return encoded
      if (first === signed.shown.hash) return signed.encoded
    }
    throw new RpcFault(-32601, `The method ${method} does not exist.`)
  })
  onTestFinished(() => server.close())
  return { server, block, at }
}
const connect = (...args: Parameters<typeof clientOf>) => {
  const client = clientOf(...args)
  onTestFinished(() => client.close())
  return client
}

describe('a block of Polygon that ends with state sync', () => {
  test('is proven to the last transaction, with one more question', async () => {
    const { server, block, at } = await serve()
    const client = connect({ urls: [server.url] })
    const [read] = await client.blocks(at, at)
    expect(read).toMatchObject({ hash: block.hash, proof: 'transactions-root' })
    expect(await client.blockByHash(block.hash)).toMatchObject({ proof: 'transactions-root' })
    const asked = server.calls.filter((call) => call.method === 'eth_getRawTransactionByHash')
    expect(asked).toHaveLength(2)
  })

  test('is not believed without it, unless that is what the settings ask for', async () => {
    const { server, at } = await serve()
    server.alter = (method, _params, result) => {
      if (method !== 'eth_getRawTransactionByHash') return result
      throw new RpcFault(-32601, 'the method does not exist')
    }
    const strict = connect({ urls: [server.url] })
    expect(await codeOf(() => strict.blocks(at, at))).toBe('transactions_unverified')
    const lenient = connect({ urls: [server.url], chain: { proof: 'receipts-root' } })
    expect(await lenient.blocks(at, at)).toMatchObject([{ proof: 'receipts-root' }])
  })

  test('a node that sends something else in its place is passed over', async () => {
    const liar = await serve()
    liar.server.alter = (method, _params, result) =>
      method === 'eth_getRawTransactionByHash' ? typed(0x7f, [[number(2)]]) : result
    const honest = await serve()
    const urls = [liar.server.url, honest.server.url]
    const client = connect({ urls, chain: { quorum: 1 } })
    expect(await client.blocks(liar.at, liar.at)).toMatchObject([{ proof: 'transactions-root' }])
  })

  test('a node that appends what is no digit is blamed itself, not the node that showed the block', async () => {
    const [showing, encoding] = [await serve(), await serve()]
    showing.server.alter = (method, _params, result) => {
      if (method !== 'eth_getRawTransactionByHash') return result
      throw new RpcFault(-32601, 'the method does not exist')
    }
    encoding.server.alter = (method, _params, result) => {
      if (method.startsWith('eth_getBlockBy')) throw new RpcFault(-32000, 'no such block')
      return method === 'eth_getRawTransactionByHash' ? `${encoded}\u0130\u0130` : result
    }
    const urls = [showing.server.url, encoding.server.url]
    const client = connect({ urls, chain: { quorum: 1 } })
    await codeOf(() => client.blocks(showing.at, showing.at))
    expect(client.nodes()).toMatchObject([{ state: 'up' }, { state: 'distrusted' }])
  })

  test('a node that calls a signed transaction state sync gets no other node blamed', async () => {
    const [liar, honest] = [await serve('signed'), await serve('signed')]
    let shown = 0
    liar.server.alter = (method, _params, result) => {
      if (!method.startsWith('eth_getBlockBy')) return result
      // The lying node answers only the first question. The honest node answers the second one.
      if (shown++ > 0) throw new RpcFault(-32000, 'no such block')
      const [first] = liar.block.transactions
      return { ...liar.block, transactions: [{ ...first, type: '0x7f' }] }
    }
    const client = connect({ urls: [liar.server.url, honest.server.url], chain: { quorum: 1 } })
    expect(await client.blocks(liar.at, liar.at)).toMatchObject([{ proof: 'transactions-root' }])
    expect(client.nodes()[1]).toMatchObject({ state: 'up' })
  })

  test('a node that invents a new one for each question cannot keep the others from proving the block', async () => {
    const [liar, ...honest] = [await serve(), await serve(), await serve()]
    let shown = 0
    liar.server.alter = (method, params, result) => {
      if (!method.startsWith('eth_getBlockBy') || params[1] !== true) return result
      const invented = { ...stateSync, hash: hash(`invented ${shown++}`) }
      return { ...liar.block, transactions: liar.block.transactions.with(-1, invented) }
    }
    const urls = [liar, ...honest].map(({ server }) => server.url)
    const client = connect({ urls })
    expect(await client.blocks(liar.at, liar.at)).toMatchObject([{ proof: 'transactions-root' }])
    expect(client.nodes()).toMatchObject([
      { state: 'distrusted', reason: 'unverified' },
      { state: 'up' },
      { state: 'up' },
    ])
  })

  test('a node that invents one does not make others look like liars', async () => {
    const liar = await serve()
    const invented = { ...stateSync, hash: hash('invented') }
    const { block } = liar
    const forged = { ...block, transactions: block.transactions.with(-1, invented) }
    const showing =
      (shown: object): RpcHandler =>
      (method) => {
        if (method === 'eth_chainId') return '0x1'
        return method.startsWith('eth_getBlockBy') ? shown : null
      }
    liar.server.handler = showing(forged)
    const honest = await serve()
    honest.server.handler = showing(block)
    const urls = [liar.server.url, honest.server.url]
    const client = connect({ urls, chain: { quorum: 1, proof: 'receipts-root' } })
    await client.blocks(liar.at, liar.at)
    const host = new URL(honest.server.url).host
    expect(client.nodes()).toContainEqual(expect.objectContaining({ node: host, state: 'up' }))
  })
})
