/** The limit of gas for each transaction in gas.json. */
export const GAS_LIMITS: Readonly<Record<string, number>> = {
  activate: 42_000,
  cancel: 95_000,
  close: 95_000,
  deploy: 165_000,
  'deploy again': 36_000,
  'donate, again': 70_000,
  'donate, first of a donor': 90_000,
  'donate, first of all': 105_000,
  'donate, reaches the target': 70_000,
  donateWithAuthorization: 140_000,
  refund: 57_000,
  // Needs more gas, because the token's transfer to an empty account writes a new storage slot.
  'refund, to an empty account': 80_000,
  reject: 66_000,
  'release, 1 signature': 90_000,
  'release, 2 signatures': 78_000,
  'release, 3 signatures': 85_000,
  releaseSurplus: 70_000,
  'returnTransfers, 2 signatures, 1 to an empty account': 140_000,
  'returnTransfers, 2 signatures, 11': 460_000,
  'terminate, 2 signatures': 112_000,
}
