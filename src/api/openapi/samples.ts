/** Sample values for the examples of the document. */
export const EXAMPLE_ID = '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b'
export const EXAMPLE_TIME = '2026-01-31T12:00:00.000Z'
export const EXAMPLE_CURSOR = Buffer.from(`${EXAMPLE_TIME} ${EXAMPLE_ID}`).toString('base64url')
export const EXAMPLE_ACCOUNT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const EXAMPLE_WALLET = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
export const EXAMPLE_HASH = `0x${'5c504ed4'.repeat(8)}`
export const EXAMPLE_SIGNATURE = `0x${'1b'.repeat(65)}`
export const EXAMPLE_NONCE = 'c0ffee'.padEnd(32, '0')
export const EXAMPLE_CLAIM_TOKEN = 'x4Jq0ZkT'.padEnd(43, '0')
export const EXAMPLE_PASSWORD = 'quiet-river-42-stones'
export const EXAMPLE_LINK = 'https://example.org/report.pdf'

/** Evidence for a milestone or an impact report. */
export const EXAMPLE_EVIDENCE = [{ type: 'report', url: EXAMPLE_LINK, timestamp: EXAMPLE_TIME }]
