import { describe, expect, test } from 'vitest'
import type { RpcObject } from '../../../../src/chain/rpc/read.ts'
import { prove } from './encode.ts'

/** Transactions of real chains, with the hashes that these chains published. */
const published: [string, RpcObject][] = [
  [
    'the L1 attributes of an OP mainnet block of November 2024',
    {
      type: '0x7e',
      hash: '0x4fae8f6c70a4f50cf8894bf9847ed364922826658c3cb73e291e03934637a853',
      sourceHash: '0xf14ecb423df1f95f609d9781126cdd9ea4d248f4502c083507b2f1f72aa779a8',
      from: '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001',
      to: '0x4200000000000000000000000000000000000015',
      mint: '0x0',
      value: '0x0',
      gas: '0xf4240',
      input:
        '0x440a5e200000146b000f79c500000000000000040000000067410f8300000000014432030000000000000000' +
        '0000000000000000000000000000000000000002fe2cca3c000000000000000000000000000000000000000000' +
        '00000000000000001f11bf37aac56bf514562b0ee38600119c0a4f70b20f0c6abc66a2011d1bdd9b18cb1c0000' +
        '000000000000000000006887246668a3b87f54deb3b94ba47a6f63f32985',
    },
  ],
  [
    'a deposit that mints what it pays, on an OP testnet',
    {
      type: '0x7e',
      hash: '0xb41fd72d60425a9d836d9307b6afcd8b8b217c6fe4f09d9cf7bbe155944069a2',
      sourceHash: '0x405ed121ccc1cd47773fbe0ef8e14b8d00acf028ac83145da72e5b6d4002efcf',
      from: '0x481c965e6579099f005387b4c1d7fb03bc302f4b',
      to: '0x03a858395f1a6cd22e2b4d31139794aab58c5d4d',
      mint: '0xde0b6b3a7640000',
      value: '0xde0b6b3a7640000',
      gas: '0xcf850',
      input: '0x',
    },
  ],
  ...(
    [
      [
        '408890854',
        '0x61d48ab94f7fccf48f4baa3903781053f932feb466474c037736e910d7ca2afe',
        '016ddb27',
        '185f29e6',
      ],
      [
        '430829702',
        '0x26ae3f2abe865feb7927210b03f5137af48b5f2ee25e748cb411c0f5f9ebb9de',
        '0174c876',
        '19adf086',
      ],
      [
        '350791066',
        '0x03dd259cba9ef03a0043700ff6aa27de5c96337ad410b3710b6482ca8a971fd0',
        '015b88c4',
        '14e8a59a',
      ],
    ] as const
  ).map(([block, txHash, l1Block, l2Block]): [string, RpcObject] => [
    `the start of Arbitrum block ${block}`,
    {
      type: '0x6a',
      hash: txHash,
      chainId: '0xa4b1',
      from: '0x00000000000000000000000000000000000a4b05',
      to: '0x00000000000000000000000000000000000a4b05',
      value: '0x0',
      gas: '0x0',
      input: `0x6bf6a42d${['', l1Block, l2Block, ''].map((word) => word.padStart(64, '0')).join('')}`,
    },
  ]),
]

describe('published transactions', () => {
  test.each(published)('%s has the hash that it was given', async (_, raw) => {
    // The client compares the hash first. An error about the root shows that the hash was right.
    const act = () => prove(['0x80'], [raw])
    await expect(act()).rejects.toThrow(/contradict their transactionsRoot/)
    const forged = { ...raw, input: `${raw.input}00` }
    await expect(prove(['0x80'], [forged])).rejects.toThrow(/contradict their hash/)
  })
})
