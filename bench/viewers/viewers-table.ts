import { TARGETS } from '../report.ts'
import { median, rounded } from '../support/statistics.ts'
import { table, verdict } from '../support/table.ts'
import type { ViewersResult, ViewersRun } from './viewers.ts'

export const viewersTable = ({ without, with: beside, ratio }: ViewersResult): string => {
  const costOf = ({ beforeMb, mostMb }: ViewersRun) => (mostMb ?? 0) - (beforeMb ?? 0)
  const most = Math.max(...beside.map(costOf))
  const row = (name: string, runs: readonly ViewersRun[], ratio: number | null) => {
    const middle = (pick: (run: ViewersRun) => number) => median(runs.map(pick))
    return [
      name,
      rounded(middle((run) => run.donationsPerS)),
      ratio === null ? null : ratio.toFixed(2),
      rounded(middle((run) => run.beforeMb ?? 0)),
      rounded(Math.max(...runs.map(costOf))),
      middle((run) => run.apiCpuS ?? 0).toFixed(1),
      middle((run) => run.seen.reduce((sum, { most }) => sum + most, 0)),
      middle((run) => Object.values(run.rendered).reduce((sum, count) => sum + count, 0)),
      rounded(middle((run) => run.mbSent)),
    ]
  }
  const head = ['One campaign', 'donations/s', 'ratio', 'MB before', 'MB they cost', 'API CPU s']
  return [
    table(
      [...head, 'updates', 'rendered', 'MB sent'],
      [
        row('without viewers', without, null),
        row(`${beside[0]?.viewers} viewers, 2 languages`, beside, ratio),
      ],
    ),
    `Within ${TARGETS.viewersRatio} times: ${verdict(ratio <= TARGETS.viewersRatio)}; ` +
      `less than ${TARGETS.viewersMb} MB: ${verdict(most < TARGETS.viewersMb)}`,
  ].join('\n')
}
