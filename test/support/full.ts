/** Whether tests run in their full form (FULL=1). By default, tests repeat themselves less often. */
export const isFull = process.env.FULL === '1'
