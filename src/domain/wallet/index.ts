export { type ChallengeView, challengeSignIn, challengeWallet } from './challenge-wallet.ts'
export {
  keepProofs,
  listWallets,
  toWalletView,
  unlinkWallet,
  type WalletView,
  walletColumns,
} from './list-wallets.ts'
export { ChallengeWallet, SignatureText, SignedChallenge } from './schemas.ts'
export {
  type CheckedChallenge,
  checkSigned,
  type ProvenWallet,
  unknownChallenge,
  useChallenge,
} from './signed-challenge.ts'
