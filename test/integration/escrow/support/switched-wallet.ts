import { concat } from 'ethers'
import type { TestChain } from '../../../support/test-chain.ts'
import { deploy } from '../../../support/test-wallets.ts'

/** Writes 1 to slot 0, and returns the 67 bytes of code behind it. */
const CREATION = '0x60016000556043601160003960436000f3'
const RUNTIME = [
  // No data: jumps to 0x34.
  '3615603457',
  // isValidSignature while slot 0 is 1: jumps to 0x3d.
  '60003560e01c631626ba7e1460005416603d57',
  // Calls the address in the first 20 bytes, with the data behind it.
  '601436038060146000376000600091600060006000' + '3560601c5af100',
  // 0x34: changes slot 0 from 1 to 0, or from 0 to 1.
  '5b6000541560005500',
  // 0x3d: returns 32 zero bytes.
  '5b60206000f3',
].join('')

/** Deploys a contract that is a wallet (EIP-1271) until any account sends it an empty call. */
export const deploySwitchedWallet = async (chain: TestChain) => {
  const address = await deploy(chain, CREATION + RUNTIME)
  return {
    address,
    switchOff: { to: address, data: '0x' },
    /** The call by which the contract makes a call. Any account may send it. */
    through: ({ to, data }: { to: string; data: string }) => ({
      to: address,
      data: concat([to, data]),
    }),
  }
}
