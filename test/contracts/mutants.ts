/** A fault in a copy of the contracts. The named test must find it. */
type Fault = {
  name: string
  /** The file with the fault. Default: CampaignEscrow.sol. */
  file?: 'CampaignEscrowFactory.sol' | 'EscrowSignatures.sol' | 'EscrowTerms.sol'
  /** The code to replace. It occurs exactly once in the file. */
  from: string
  /** The new code. Default: no code, so `from` is removed. */
  to?: string
  /** The test that must fail because of the fault. */
  test: string
}

/** Faults that the random calls must find as well. */
const FOUND_BY_RANDOM_CALLS: readonly Fault[] = [
  {
    name: 'a verifier counts twice',
    file: 'EscrowSignatures.sol',
    from: 'verifier < lowest || ',
    test: 'testRefusesAVerifierTwice',
  },
  {
    name: 'one signature less',
    file: 'EscrowSignatures.sol',
    from: 'signatures.length < needed',
    to: 'signatures.length + 1 < needed',
    test: 'testNeedsTheSignaturesOfTheMilestone',
  },
  {
    name: 'a released milestone stays open',
    from: 'progress.releasedMilestones = uint32(bitmap);',
    test: 'testReleasesAMilestoneOnce',
  },
  {
    name: 'release after a failure',
    from: '_requireState(State.Active, State.Active);',
    test: 'testReleaseBeforeAndAfterATermination',
  },
  {
    name: 'a rejection does not end the round',
    from: 'round[milestone] = ended + 1;',
    test: 'testRejectionEndsTheRound',
  },
  {
    name: 'a refund is paid twice',
    from: 'contributed[donor] = 0;',
    test: 'testRefundsOnceAndOnlyDonors',
  },
  {
    name: 'shares are rounded up',
    from: 'Math.mulDiv(contribution, pool, total())',
    to: 'Math.mulDiv(contribution, pool, total(), Math.Rounding.Ceil)',
    test: 'testSharesAreRoundedDown',
  },
  {
    name: 'the reserve does not fall with a refund',
    from: 'recordedOwed -= amount;',
    test: 'testCancelGivesEverythingBack',
  },
  {
    name: 'released money does not count in the shares',
    from: 'pool.saturatingAdd(released())',
    to: 'pool',
    test: 'testTheSurplusGoesBackToTheDonors',
  },
  {
    name: 'a release pays the sender',
    from: 'address recipient = terms_.recipient();',
    to: 'address recipient = msg.sender;',
    test: 'testPaysExactlyTheMilestoneToTheRecipient',
  },
  {
    name: 'any account cancels',
    from: 'if (msg.sender != terms_.creator()) revert WrongCaller();',
    test: 'testOnlyTheCreatorCancels',
  },
  {
    name: 'a donation after the deadline',
    from: '_requireUntil(terms_.deadline());',
    test: 'testDonatesUntilTheDeadline',
  },
  {
    name: 'a second opening',
    from: '_requireState(State.None, State.None);',
    test: 'testOpensOnce',
  },
  {
    name: 'open milestones count as released',
    file: 'EscrowTerms.sol',
    from: 'if (bitmap & 1 == 1) sum',
    to: 'sum',
    test: 'testPaysExactlyTheMilestoneToTheRecipient',
  },
  {
    name: 'a donation after a release',
    from: 'if (progress.releasedMilestones != 0) revert WrongState(progress.state);',
    test: 'testRefusesDonationsAfterARelease',
  },
  {
    name: 'half of the verifiers are a quorum',
    file: 'EscrowTerms.sol',
    from: '2 * quorum(terms) <= count',
    to: '2 * quorum(terms) < count',
    test: 'testRule11TheQuorumIsAMajority',
  },
  {
    name: 'invalid terms have an address',
    file: 'CampaignEscrowFactory.sol',
    from: 'if (rule != 0) revert',
    to: 'if (rule > 16) revert',
    test: 'testPredictsNoAddressForInvalidTerms',
  },
  {
    name: 'no reserve for recorded donors',
    from: 'isTermsAsset ? recordedOwed : _balance(terms_)',
    to: 'isTermsAsset ? 0 : _balance(terms_)',
    test: 'testReturnsTakeNothingFromRecordedDonors',
  },
  {
    name: 'a transfer returns twice',
    from: 'if (isReturned[one.transaction][one.position]) revert NothingDue();',
    test: 'testEachTransferReturnsOnce',
  },
  {
    name: 'a return is not marked',
    from: 'isReturned[one.transaction][one.position] = true;',
    test: 'testReturnsWhatTheQuorumSigned',
  },
  {
    name: 'returns before the end',
    from: '        _requireState(State.Done, State.Failed);\n',
    test: 'testReturnsNothingBeforeTheEnd',
  },
  {
    name: 'returns of the surplus of Done',
    from: '            _requireState(State.Failed, State.Failed);\n            _returned',
    to: '            _returned',
    test: 'testReturnsTakeNoSurplus',
  },
  {
    name: 'returns with one signature',
    from: 'signatures, terms_.quorum(), hash);\n        for',
    to: 'signatures, 1, hash);\n        for',
    test: 'testReturnsNeedTheQuorum',
  },
  {
    name: 'returned money does not count',
    from: '_returned = _returned.saturatingAdd(one.amount);',
    test: 'testReturnsWhatTheQuorumSigned',
  },
  {
    name: 'another returned token counts as the one of the terms',
    from: '        if (one.asset == terms_.asset()) {\n            _requireState(State.Failed, State.Failed);',
    to: '        if (one.asset == terms_.asset()) _requireState(State.Failed, State.Failed);\n        {',
    test: 'testOtherAssetsGoBackAfterAFailureAndAfterTheEnd',
  },
  {
    name: 'a termination with one signature',
    from: 'signatures, terms_.quorum(), hash);\n        _fail',
    to: 'signatures, 1, hash);\n        _fail',
    test: 'testTerminatesByTheQuorum',
  },
  {
    name: 'a termination after validUntil',
    from: '        _requireUntil(validUntil);\n        bytes32',
    to: '        bytes32',
    test: 'testATerminationIsValidUntilItsTime',
  },
  {
    name: 'any account closes before the recipient takes the surplus',
    from: '            if (isEarly && terms_.surplusToRecipient()) revert WrongTime();\n',
    test: 'testTheSurplusGoesToTheRecipient',
  },
  {
    name: 'the surplus of a blocked recipient stays',
    from: 'if (isEarly && terms_.surplusToRecipient())',
    to: 'if (terms_.surplusToRecipient())',
    test: 'testDonorsGetTheSurplusOfABlockedRecipient',
  },
  {
    name: 'a surplus does not count in the shares',
    from: 'return _surplusReleased.saturatingAdd(milestones);',
    to: 'return milestones;',
    test: 'testLateMoneyAfterASurplusIsShared',
  },
  {
    name: 'milestones below the target',
    file: 'EscrowTerms.sol',
    from: 'sum != target(terms)',
    to: 'sum > target(terms)',
    test: 'testALoanMovesNoMoneyWithoutSignatures',
  },
]

const FOUND_BY_THE_TEST: readonly Fault[] = [
  {
    name: 'the target itself does not activate',
    from: 'balance < terms_.target()',
    to: 'balance <= terms_.target()',
    test: 'testActivatesAtExactlyTheTarget',
  },
  {
    name: 'activation below the target',
    from: 'balance < terms_.target()',
    to: 'balance + 1 < terms_.target()',
    test: 'testActivatesAtExactlyTheTarget',
  },
  {
    name: 'activation after activateBy',
    from: 'if (block.timestamp > terms_.activateBy()) return;',
    test: 'testDoesNotActivateAfterActivateBy',
  },
  {
    name: 'a flood of tokens stops refunds',
    from: 'pool.saturatingAdd(released())',
    to: '(pool + released())',
    test: 'testAFloodOfReturnedMoneyStopsNoRefund',
  },
  {
    name: 'release after the expiry',
    from: 'Math.min(validUntil, terms_.expiry())',
    to: 'validUntil',
    test: 'testReleasesUntilTheExpiry',
  },
  {
    name: 'release after validUntil',
    from: 'Math.min(validUntil, terms_.expiry())',
    to: 'terms_.expiry()',
    test: 'testSignaturesAreValidUntilTheirTime',
  },
  {
    name: 'close at the expiry',
    from: 'if (block.timestamp <= terms_.expiry())',
    to: 'if (block.timestamp < terms_.expiry())',
    test: 'testReleasesUntilTheExpiry',
  },
  {
    name: 'the nonce of an authorization does not bind the refund',
    from: 'abi.encode(address(this), refundTo, salt)',
    to: 'abi.encode(address(this), from, salt)',
    test: 'testAuthorizationIsRecorded',
  },
  {
    name: 'a payer gets credit for other transfers',
    from: 'Math.min(balance - before, amount)',
    to: 'balance - before',
    test: 'testAPayerGetsNoCreditForOtherTransfers',
  },
  {
    name: 'a donation is credited without its fee',
    from: 'Math.min(balance - before, amount)',
    to: 'amount',
    test: 'testATokenWithAFeeCreditsOnlyTheArrivedAmount',
  },
  {
    name: 'cancel during a donation',
    from: 'function cancel() external nonReentrant {',
    to: 'function cancel() external {',
    test: 'testAPayerCannotCallBack',
  },
  {
    name: 'the implementation acts as an escrow',
    from: 'if (address(this) == _implementation) revert WrongCaller();',
    test: 'testImplementationHasNoTermsAndRefusesCalls',
  },
  {
    name: 'signatures for all chains',
    file: 'EscrowSignatures.sol',
    from: '                block.chainid,\n                address(this)',
    to: '                uint256(31337),\n                address(this)',
    test: 'testRefusesASignatureForAnotherChain',
  },
  {
    name: 'a key does not sign at an account with code',
    file: 'EscrowSignatures.sol',
    from: 'signer == verifier) return true;',
    to: 'signer == verifier) return verifier.code.length == 0;',
    test: 'testAKeySignsAlsoAtAnAccountWithCode',
  },
  {
    name: 'equal verifiers in the terms',
    file: 'EscrowTerms.sol',
    from: 'if (current <= last) return 10;',
    to: 'if (current < last) return 10;',
    test: 'testRules9To11Verifiers',
  },
  {
    name: 'a second deployment fails',
    file: 'CampaignEscrowFactory.sol',
    from: 'if (escrow.code.length > 0) return escrow;',
    test: 'testAnyAccountMayDeployAgainWithoutAnyChange',
  },
  {
    name: 'only 8 milestones are marked',
    from: 'uint32(bitmap)',
    to: 'uint8(bitmap)',
    test: 'testReleasesAllOf32Milestones',
  },
  {
    name: 'only 8 milestones count as released money',
    file: 'EscrowTerms.sol',
    from: 'for (; bitmap != 0;',
    to: 'for (bitmap &= 0xff; bitmap != 0;',
    test: 'testCancelsAfter20Of32Milestones',
  },
  {
    name: 'the sum of donations is cut to its field',
    from: 'credit.toUint208()',
    to: 'uint208(credit)',
    test: 'testRefusesADonationThatDoesNotFit',
  },
  {
    name: 'refunds to the token',
    from: 'if (!isReal || account == terms_.asset())',
    to: 'if (!isReal)',
    test: 'testRefusesRefundsToTheToken',
  },
  {
    name: 'an escrow without its token never ends',
    from: 'asset.code.length == 0 ? 0 : ',
    test: 'testOtherAssetsGoBackWhereTheTokenIsNot',
  },
  {
    name: 'the first donors get a wiped balance',
    from: '.max(progress.recorded)',
    test: 'testAWipedBalanceIsSharedEqually',
  },
  {
    name: 'a flood of tokens stops the surplus',
    from: '_surplusReleased = _surplusReleased.saturatingAdd(amount);',
    to: '_surplusReleased += amount;',
    test: 'testAFloodAfterTheEndStopsNoSurplus',
  },
  {
    name: 'the second address of a token pays',
    from: 'isTermsAsset ? recordedOwed : _balance(terms_)',
    to: 'isTermsAsset ? recordedOwed : 0',
    test: 'testTheSecondAddressOfATokenTakesNothing',
  },
  {
    name: 'returns after validUntil',
    from: '        _requireUntil(validUntil);\n        if (list',
    to: '        if (list',
    test: 'testReturnsAreValidUntilTheirTime',
  },
  {
    name: 'returns of an empty list',
    from: '        if (list.length == 0) revert NothingDue();\n',
    test: 'testRefusesAnEmptyList',
  },
  {
    name: 'returns are paid before all are marked',
    from: '_markReturned(terms_, list[i]);\n        for (uint256 i = 0; i < list.length; i++) _payReturn(terms_, list[i]);',
    to: '{ _markReturned(terms_, list[i]); _payReturn(terms_, list[i]); }',
    test: 'testAReceiverCannotCallBack',
  },
  {
    name: 'a receiver calls back',
    from: ') external nonReentrant {\n        bytes memory terms_ = terms();\n        _requireState(State.Done',
    to: ') external {\n        bytes memory terms_ = terms();\n        _requireState(State.Done',
    test: 'testAReceiverCannotCallBack',
  },
  {
    name: 'returns to any account',
    from: '        _requirePayable(terms_, one.receiver);\n',
    test: 'testReturnsToRealAccountsOnly',
  },
  {
    name: 'a flood of tokens stops returns',
    from: '_returned = _returned.saturatingAdd(one.amount);',
    to: '_returned += one.amount;',
    test: 'testAFloodOfReturnsStopsNoReturn',
  },
  {
    name: 'the opening can be re-entered',
    from: 'function open() external nonReentrant {',
    to: 'function open() external {',
    test: 'testARecipientCannotCallBack',
  },
  {
    name: 'milestones above the target',
    file: 'EscrowTerms.sol',
    from: 'sum != target(terms)',
    to: 'sum < target(terms)',
    test: 'testRules12To15Milestones',
  },
]

export type Mutant = Fault & { to: string; random: boolean }

export const MUTANTS: readonly Mutant[] = [
  ...FOUND_BY_RANDOM_CALLS.map((fault) => ({ to: '', ...fault, random: true })),
  ...FOUND_BY_THE_TEST.map((fault) => ({ to: '', ...fault, random: false })),
]
