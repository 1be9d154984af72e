import { expect, test } from 'vitest'
import { loadConfig, publicFactsOf } from '../../../src/config/config.ts'
import { createTestApi } from './support/api.ts'

test('shows to everybody the chains with what each accepts, and nothing of the keyed nodes', async () => {
  const { chains = [] } = loadConfig({
    CHAINS: JSON.stringify([
      {
        id: 31337,
        name: 'internal',
        rpc: ['https://node.example/s3cret'],
        public: {
          name: 'Example',
          rpc: ['https://public.example/'],
          explorer: 'https://explorer.example/',
        },
      },
    ]),
  })
  const api = await createTestApi({ settings: { chains: chains.map(publicFactsOf) } })
  const answer = await api.ask('GET', '/api/chains')
  expect(answer).toMatchObject({ status: 200, headers: expect.any(Headers) })
  expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
  expect(answer.body).toEqual({
    success: true,
    chains: [
      {
        id: 31337,
        name: 'Example',
        testnet: false,
        rpc: ['https://public.example/'],
        explorer: 'https://explorer.example/',
        assets: [
          { id: 'eip155:31337/slip44:60', symbol: 'ETH', decimals: 18, token: null },
          {
            id: 'eip155:31337/erc20:0x5fbdb2315678afecb367f032d93f642f64180aa3',
            symbol: 'USDC',
            decimals: 6,
            token: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
          },
        ],
      },
    ],
  })
  expect(answer.text).not.toContain('s3cret')
})
