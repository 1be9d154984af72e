import { AbiCoder, getBytes, Interface, toBeHex } from 'ethers'
import type { TestChain } from '../../../support/test-chain.ts'
import { keyOf } from '../../../support/test-wallets.ts'
import codes from './wallet-codes.json' with { type: 'json' }

/**
 * The published creation codes of wallets. `npm pack <package>` downloads the files that the list
 * names.
 */
export const walletCodes = codes

/** Sends a transaction from account 0, mines it, and returns the receipt. Throws if it failed. */
export const send = async (
  chain: TestChain,
  transaction: { to?: string; data?: string; value?: bigint },
): Promise<Receipt> => {
  const { hash } = await chain.send(await chain.sign(0, { gasLimit: 8_000_000n, ...transaction }))
  await chain.mine()
  const receipt = await chain.call<Receipt>('eth_getTransactionReceipt', [hash])
  if (receipt.status !== '0x1') throw new Error(`The transaction ${hash} failed.`)
  return receipt
}
type Receipt = {
  status: string
  contractAddress: string
  logs: { topics: string[]; data: string }[]
}

/** Deploys creation code with constructor arguments. Returns the address. */
export const create = async (
  chain: TestChain,
  { bytecode }: { bytecode: string },
  types: readonly string[] = [],
  values: readonly unknown[] = [],
): Promise<string> => {
  const data = bytecode + AbiCoder.defaultAbiCoder().encode(types, values).slice(2)
  return (await send(chain, { data })).contractAddress
}

const ZERO = `0x${'0'.repeat(40)}`
const SAFE = new Interface([
  'function createProxyWithNonce(address singleton, bytes initializer, uint256 salt) returns (address)',
  'function setup(address[] owners, uint256 threshold, address to, bytes data, address handler, address token, uint256 payment, address receiver)',
  'function nonce() view returns (uint256)',
  'function getTransactionHash(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, uint256 nonce) view returns (bytes32)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
])

/** A deployed wallet. `execute` makes a call that the owner signs and a stranger sends. */
export type RealWallet = {
  address: string
  execute(to: string, data: string): Promise<void>
}

/** Deploys a Safe behind the proxy of its factory. Its owner is this key. */
export const deploySafe = async (
  chain: TestChain,
  owner: number,
  codes: { Safe: Code; SafeFactory: Code; Handler?: Code | undefined },
): Promise<RealWallet> => {
  const singleton = await create(chain, codes.Safe)
  const factory = await create(chain, codes.SafeFactory)
  const handler = codes.Handler ? await create(chain, codes.Handler) : ZERO
  const owners = [keyOf(owner).address]
  const setup = SAFE.encodeFunctionData('setup', [owners, 1, ZERO, '0x', handler, ZERO, 0, ZERO])
  const args = [singleton, setup, 1]
  const address = await read(chain, SAFE, factory, 'createProxyWithNonce', args)
  await send(chain, { to: factory, data: SAFE.encodeFunctionData('createProxyWithNonce', args) })
  return {
    address,
    async execute(to, data) {
      const facts = [to, 0, data, 0, 0, 0, 0, ZERO, ZERO]
      const nonce = await read(chain, SAFE, address, 'nonce', [])
      const hash = await read(chain, SAFE, address, 'getTransactionHash', [...facts, nonce])
      const { serialized } = keyOf(owner).signingKey.sign(hash)
      const signed = SAFE.encodeFunctionData('execTransaction', [...facts, serialized])
      await send(chain, { to: address, data: signed })
    },
  }
}

const ACCOUNT = new Interface([
  'function createAccount(address owner, uint256 salt)',
  'function getAddress(address owner, uint256 salt) view returns (address)',
  'function execute(address to, uint256 value, bytes data)',
])
const OPERATIONS = {
  '0.6':
    '(address sender, uint256 nonce, bytes initCode, bytes callData, uint256 callGasLimit, uint256 verificationGasLimit, uint256 preVerificationGas, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas, bytes paymasterAndData, bytes signature)',
  '0.7':
    '(address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)',
}
const GAS = 1_000_000n
const FEE = 20_000_000_000n
/** Packs two amounts of 16 bytes into one word, as version 0.7 does. */
const pair = (one: bigint, other: bigint) => toBeHex((one << 128n) | other, 32)

/** Deploys a SimpleAccount (ERC-4337) of this owner. Its first operation also deploys its code. */
export const deployAccount = async (
  chain: TestChain,
  owner: number,
  version: keyof typeof OPERATIONS,
  { entryPoint, AccountFactory }: { entryPoint: string; AccountFactory: Code },
): Promise<RealWallet> => {
  const abi = new Interface([
    `function getUserOpHash(${OPERATIONS[version]} op) view returns (bytes32)`,
    `function handleOps(${OPERATIONS[version]}[] ops, address beneficiary)`,
  ])
  const factory = await create(chain, AccountFactory, ['address'], [entryPoint])
  const made = [keyOf(owner).address, 0]
  const address = await read(chain, ACCOUNT, factory, 'getAddress', made)
  await send(chain, { to: address, value: 10n ** 18n })
  const gas = version === '0.6' ? [GAS, GAS, 0, FEE, FEE] : [pair(GAS, GAS), 0, pair(FEE, FEE)]
  return {
    address,
    async execute(to, data) {
      const initCode = factory + ACCOUNT.encodeFunctionData('createAccount', made).slice(2)
      const run = ACCOUNT.encodeFunctionData('execute', [to, 0, data])
      const facts = [address, 0, initCode, run, ...gas, '0x']
      const hash = await read(chain, abi, entryPoint, 'getUserOpHash', [[...facts, '0x']])
      const signature = await keyOf(owner).signMessage(getBytes(hash))
      const bundle = [[[...facts, signature]], keyOf(0).address]
      await send(chain, { to: entryPoint, data: abi.encodeFunctionData('handleOps', bundle) })
    },
  }
}

type Code = { bytecode: string }

const read = async (
  chain: TestChain,
  abi: Interface,
  to: string,
  name: string,
  args: readonly unknown[],
): Promise<string> => {
  const call = { to, data: abi.encodeFunctionData(name, args) }
  const answer = await chain.call<string>('eth_call', [call, 'latest'])
  return String(abi.decodeFunctionResult(name, answer)[0])
}
