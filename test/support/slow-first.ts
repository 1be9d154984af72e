import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take at least half a minute. They begin first, so that the run does not end with only
 * one of them.
 */
const SLOW =
  /browser\/(pages|donat)|contracts\/forge|local\/(postgres|start)|lists\/statements|database\/|property\/|e2e\/|fault\/|simulation\//

/** The project whose service runs until the end of all tests, and costs time while it runs. */
const LAST = 'clients'

/**
 * Sorts by project, because a process runs files of one project only. Each project begins with its
 * slow files, because a new checkout has no times of earlier runs.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = Map.groupBy(sorted, ({ project }) => project.name)
    const ordered = [...projects].sort(([one], [other]) => +(one === LAST) - +(other === LAST))
    return ordered.flatMap(([, specifications]) => {
      const isSlow = ({ moduleId }: TestSpecification) => SLOW.test(moduleId)
      return [...specifications.filter(isSlow), ...specifications.filter((one) => !isSlow(one))]
    })
  }
}
