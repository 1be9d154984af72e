import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take half a minute or more. If one began last, the others would be done long before. */
const SLOW =
  /browser\/(pages|donat)|contracts\/forge|local\/(postgres|start)|lists\/statements|database\/|property\/|e2e\/|fault\/|simulation\//

/** Its service runs until all tests are over, and costs time while it runs. */
const LAST = 'clients'

/**
 * Sorts by project, because a process that is shared by files takes only files of one project, and
 * begins each with its slow files. A new checkout has no times of an earlier run.
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
