export { type ChallengeView, challengeSignIn, challengeWallet } from './challenge-wallet.ts'
export { checkChallenge, linkWallet } from './link-wallet.ts'
export { listWallets, unlinkWallet, type WalletView } from './list-wallets.ts'
export { ChallengeWallet, SignatureText, SignedChallenge } from './schemas.ts'
export {
  type CheckedChallenge,
  checkSigned,
  type ProvenWallet,
  unknownChallenge,
  useChallenge,
} from './signed-challenge.ts'
