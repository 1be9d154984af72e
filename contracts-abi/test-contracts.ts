import account from './TestAccount.json' with { type: 'json' }
import entryPointV06 from './TestEntryPointV06.json' with { type: 'json' }
import entryPointV07 from './TestEntryPointV07.json' with { type: 'json' }
import falseToken from './TestFalseToken.json' with { type: 'json' }
import feeToken from './TestFeeToken.json' with { type: 'json' }
import multicall from './TestMulticall.json' with { type: 'json' }
import nativeLog from './TestNativeLog.json' with { type: 'json' }
import nft from './TestNft.json' with { type: 'json' }
import router from './TestRouter.json' with { type: 'json' }
import safe from './TestSafe.json' with { type: 'json' }
import token from './TestToken.json' with { type: 'json' }
import wrapped from './TestWrapped.json' with { type: 'json' }

/** Contracts that tests of transfers deploy: ABI, creation code, and the code that it leaves. */
export const testContracts = {
  account,
  entryPointV06,
  entryPointV07,
  falseToken,
  feeToken,
  multicall,
  nativeLog,
  nft,
  router,
  safe,
  token,
  wrapped,
} as const

export type TestContractName = keyof typeof testContracts
