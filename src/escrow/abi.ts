import { Interface } from 'ethers'

/** The functions and events of the escrow contracts that the service uses. */

const SIGNATURE = 'tuple(uint8 verifier, bytes data)'
const TRANSFER =
  'tuple(address asset, address receiver, uint256 amount, bytes32 transaction, int256 position)'

export const FACTORY_ABI = new Interface(['function deploy(bytes terms) returns (address escrow)'])

export const TOKEN_ABI = new Interface(['function approve(address spender, uint256 value)'])

export const ESCROW_ABI = new Interface([
  'function donate(uint256 amount, address refundTo)',
  'function activate()',
  `function release(uint256 milestone, bytes32 evidenceHash, uint256 validUntil, ${SIGNATURE}[] signatures)`,
  `function reject(uint256 milestone, bytes32 evidenceHash, ${SIGNATURE} signature)`,
  'function releaseSurplus()',
  'function close()',
  'function cancel()',
  `function terminate(bytes32 reasonHash, uint256 validUntil, ${SIGNATURE}[] signatures)`,
  'function refund(address donor) returns (uint256)',
  `function returnTransfers(${TRANSFER}[] list, uint256 validUntil, ${SIGNATURE}[] signatures)`,
  'function round(uint256 milestone) view returns (uint256)',
  'event Donated(address indexed donor, address indexed payer, uint256 amount)',
  'event Activated(uint256 balance)',
  'event MilestoneRejected(uint256 indexed milestone, uint256 round, address verifier, bytes32 evidenceHash)',
  'event MilestoneReleased(uint256 indexed milestone, address recipient, address asset, uint256 amount, bytes32 evidenceHash, uint256 signers)',
  'event SurplusReleased(address recipient, address asset, uint256 amount)',
  'event Failed(uint8 reason, uint256 pool, uint256 total, uint256 recorded, bytes32 reasonHash)',
  'event Refunded(address indexed donor, address indexed asset, uint256 amount)',
  'event TransferReturned(address indexed receiver, address indexed asset, uint256 amount, bytes32 indexed transaction, int256 position)',
])
