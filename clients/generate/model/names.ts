/** The names in the clients that the document does not determine. */

type Place = readonly [resource: string, method: string]

const under = (resource: string, methods: Record<string, string>): [string, Place][] =>
  Object.entries(methods).map(([method, id]) => [id, [resource, method]])

/** The place of each operation in the client: resource, method, operationId. */
export const PLACES: ReadonlyMap<string, Place> = new Map([
  ...under('auth', {
    register: 'register',
    login: 'login',
    refresh: 'refresh',
    logout: 'logout',
    requestVerification: 'requestVerification',
    resetPassword: 'resetPassword',
    account: 'getAccount',
    changeAccount: 'changeAccount',
    changePassword: 'changePassword',
    changeEmail: 'changeEmail',
    deleteAccount: 'deleteAccount',
    challengeSignIn: 'challengeSignIn',
    signIn: 'signInWithWallet',
  }),
  ...under('sessions', { list: 'listSessions', end: 'endSession', endOthers: 'endOtherSessions' }),
  ...under('wallets', {
    challenge: 'challengeWallet',
    link: 'linkWallet',
    list: 'listWallets',
    unlink: 'unlinkWallet',
  }),
  ...under('keys', {
    create: 'createKey',
    list: 'listKeys',
    get: 'getKey',
    rename: 'renameKey',
    revoke: 'revokeKey',
  }),
  ...under('users', { changeRoles: 'changeRoles' }),
  ...under('chains', { list: 'listChains' }),
  ...under('campaigns', {
    create: 'createCampaign',
    list: 'listCampaigns',
    get: 'getCampaign',
    update: 'changeCampaign',
    delete: 'deleteCampaign',
    setCover: 'setCover',
    getCover: 'getCover',
    deleteCover: 'deleteCover',
    accountProof: 'getAccountProof',
    proveAccount: 'proveAccount',
    escrow: 'getEscrow',
    deposits: 'listDeposits',
    ledger: 'listLedgerEntries',
    ledgerHead: 'getLedgerHead',
    exportDonations: 'exportDonations',
    accountRefunds: 'listAccountRefunds',
    returns: 'listReturns',
    prepareReturns: 'prepareReturns',
    prepareTermination: 'prepareTermination',
  }),
  ...under('donations', {
    record: 'recordDonation',
    list: 'listDonations',
    get: 'getDonation',
    setVisibility: 'setDonationVisibility',
    proof: 'getDonationProof',
    finalityUpdates: 'getFinalityUpdates',
    refund: 'getDonationRefund',
    claim: 'v1ClaimDonation',
    update: 'v1ChangeDonation',
    cancel: 'v1CancelIntent',
  }),
  ...under('deposits', {
    list: 'listOwnDeposits',
    challenge: 'challengeDeposit',
    claim: 'claimDeposit',
  }),
  ...under('reconciliation', { list: 'getReconciliation', differences: 'listDifferences' }),
  ...under('impact', {
    report: 'reportImpact',
    list: 'listImpact',
    get: 'getImpact',
    verify: 'verifyImpact',
  }),
  ...under('updates', {
    post: 'postUpdate',
    list: 'listUpdates',
    get: 'getUpdate',
    update: 'changeUpdate',
    delete: 'deleteUpdate',
  }),
  ...under('milestones', {
    get: 'getMilestone',
    verification: 'getMilestoneVerification',
    prepareVerification: 'prepareMilestoneVerification',
    verify: 'verifyMilestone',
    release: 'getMilestoneRelease',
    rejection: 'getMilestoneRejection',
    prepareRejection: 'prepareMilestoneRejection',
  }),
  ...under('notifications', {
    list: 'listNotifications',
    update: 'changeNotification',
    readAll: 'readNotifications',
  }),
  ...under('webhooks', {
    create: 'createWebhook',
    list: 'listWebhooks',
    get: 'getWebhook',
    update: 'changeWebhook',
    delete: 'deleteWebhook',
    rotate: 'rotateWebhookSecret',
    deliveries: 'listWebhookDeliveries',
    delivery: 'getWebhookDelivery',
    resend: 'resendWebhookDelivery',
    replay: 'replayWebhook',
    test: 'testWebhook',
  }),
  ...under('events', { list: 'listEvents', stream: 'streamEvents' }),
  ...under('sandbox', {
    createWallet: 'createSandboxWallet',
    faucet: 'useSandboxFaucet',
    transfer: 'sendSandboxTransfer',
    sendEvent: 'sendSandboxEvent',
    mail: 'listSandboxMail',
    reorg: 'makeSandboxReorg',
    drop: 'dropSandboxTransaction',
  }),
  ...under('system', {
    health: 'getHealth',
    readiness: 'getReadiness',
    signingKeys: 'getSigningKeys',
    document: 'getDocument',
  }),
  ...under('v1.campaigns', {
    list: 'v1ListCampaigns',
    create: 'v1CreateCampaign',
    get: 'v1GetCampaign',
  }),
  ...under('v1.donations', {
    record: 'v1RecordDonation',
    list: 'v1ListDonations',
    get: 'v1GetDonation',
  }),
  ...under('v1.milestones', { get: 'v1GetMilestone', verify: 'v1VerifyMilestone' }),
  ...under('v1.impact', { report: 'v1ReportImpact' }),
])

/** Additional methods of an operation, for a use that deserves another name. */
export const HELPERS: readonly {
  id: string
  at: Place
  summary: string
  /** The fields of the body that the method does not have. */
  without: readonly string[]
  /** Parameters that the method always sends, and that the operation's own method does not have. */
  fixedQuery: Readonly<Record<string, string>>
}[] = [
  {
    id: 'v1RecordDonation',
    at: ['donations', 'intend'],
    summary: 'Announces a donation that is not paid yet. The answer has payment instructions.',
    without: ['transaction'],
    fixedQuery: {},
  },
  {
    id: 'getReconciliation',
    at: ['reconciliation', 'csv'],
    summary: 'One page of the reconciliation as CSV.',
    without: [],
    fixedQuery: { format: 'csv' },
  },
]

/** The field of the envelope that a method returns, for operations whose envelope has several. */
export const CONTENT: Readonly<Record<string, string>> = {
  // `requires` is left out, because it follows from the campaign's `status` and `accountProven`.
  createCampaign: 'campaign',
  v1CreateCampaign: 'data',
}

/** Better names for schemas that the document names after the place where they are used. */
export const RENAMED: Readonly<Record<string, string>> = {
  EventMoney: 'Money',
  CampaignThresholdRevertedEventDataThreshold: 'ThresholdKind',
  ChangeNotificationRequestStatus: 'NotificationChange',
  ChangeRolesResponseUser: 'UserRoles',
  ChangeCampaignRequestEscrow: 'EscrowTerms',
  ChangeCampaignRequestLocation: 'LocationInput',
  ChangeCampaignRequestMilestone: 'MilestoneInput',
  ChangeWebhookRequestStatus: 'WebhookChange',
  CreateCampaignRequestEscrow: 'EscrowTerms',
  CreateCampaignRequestLocation: 'LocationInput',
  CreateCampaignRequestMilestone: 'MilestoneInput',
  CreateSandboxWalletResponseWallet: 'SandboxWallet',
  GetHealthResponse: 'Health',
  GetMilestoneVerificationResponse: 'VerificationToSign',
  GetReadinessResponse: 'Readiness',
  GetReadinessResponseChecksEntry: 'ReadinessCheck',
  GetSigningKeysResponse: 'SigningKeys',
  LoginResponse: 'SignedIn',
  ListCampaignsSort: 'CampaignSort',
  ListDifferencesStatus: 'DifferenceStatus',
  PostUpdateRequestMedia: 'MediaInput',
  RecordDonationRequestDonor: 'DonorInput',
  RecordDonationRequestTransaction: 'TransactionInput',
  PrepareReturnsRequestList: 'ReturnInput',
  PrepareReturnsRequestSignature: 'VerifierSignatureInput',
  ProofEntryBlock: 'BlockReference',
  PaymentByCallsSendCallsCall: 'WalletCall',
  RegisterResponse: 'Registration',
  ReportImpactRequestBeneficiaries: 'BeneficiariesInput',
  ReportImpactRequestMetric: 'MetricInput',
  SendSandboxEventResponseEvent: 'SandboxEvent',
  SendSandboxTransferResponseTransfer: 'SandboxTransfer',
  TestWebhookResponseTest: 'WebhookTest',
  TransferReturnReturned: 'ReturnPayment',
  TransferReturnReturnedState: 'ReturnState',
  TransferReturnsTypedDataDomain: 'ContractDomain',
  TransferReturnsTypedDataMessageList: 'ReturnToSign',
  UseSandboxFaucetResponse: 'FaucetPayment',
  V1ChangeDonationRequestDonor: 'DonorChange',
  V1CreateCampaignRequestMilestone: 'V1MilestoneInput',
  V1RecordDonationResponse: 'DonationAndClaim',
  V1ReportImpactRequestMetric: 'V1MetricInput',
  V1VerifyMilestoneResponseData: 'V1MilestoneVerification',
  VerifyImpactRequestEvidence: 'ImpactEvidenceInput',
  VerifyMilestoneRequestVerification: 'VerificationInput',
  VerifyMilestoneResponse: 'VerifiedMilestone',
  CampaignFailedEventDataTransaction: 'EventTransaction',
  DonationFailedEventDataTransaction: 'EventTransactionId',
}

/** Better names for fields, by schema. */
export const FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  DonationAndClaim: { data: 'donation' },
}

/** Objects that are passed on unchanged: to be signed, sent by a wallet, or verified. */
export const VERBATIM: ReadonlySet<string> = new Set([
  'CampaignTerminationTypedData',
  'DonationProof',
  'EscrowTransactionSendCalls',
  'MilestoneRejectionTypedData',
  'PaymentByAuthorizationTypedData',
  'PaymentByCallsSendCalls',
  'ReadyTransactionSendCalls',
  'TransferReturnsTypedData',
  'TypedData',
])

/** Values for required query parameters, for which the document has no examples. */
export const QUERY_EXAMPLES: Readonly<Record<string, string>> = {
  to: 'ada@example.org',
  from: `0x${'5c504ed4'.repeat(8)}`,
}

/** The name of a field in the clients. */
export const camelCase = (wire: string): string =>
  wire.replace(/^_/, '').replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
