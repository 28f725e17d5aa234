import type { Finding } from './check-layers.ts'
import { cycleNodeOf, featureOf, inServer, isTest } from './import-rules.ts'
import type { Import, Source } from './source.ts'

type Edge = Pick<Import, 'line'> & { path: string; target: string }
/** Maps each node to its successors, each with the first import that leads to it. */
type Graph = Map<string, Map<string, Edge>>

/** Returns import cycles between features and between the files of one feature. Type-only imports count as imports. */
export function cycleFindings(sources: Source[]): Finding[] {
  const betweenFiles = graphOf(sources, ({ path, target }) =>
    cycleNodeOf(path) === cycleNodeOf(target) ? [path, target] : undefined,
  )
  return [
    ...cyclesIn(featureGraph(sources)).map((cycle) => finding('features', cycle)),
    ...cyclesIn(betweenFiles).map((cycle) => finding('files', cycle)),
  ]
}

/** Returns the imports between features of the server and between those of the console as a graph. */
function featureGraph(sources: Source[]): Graph {
  return graphOf(sources, ({ path, target }) => {
    const [from, to] = [cycleNodeOf(path), cycleNodeOf(target)]
    return from === undefined || to === undefined || from === to ? undefined : [from, to]
  })
}

/** Returns the imports between features of the server as a Mermaid flowchart. Omits imports implied by a longer path. */
export function featureDiagram(sources: Source[]): string {
  const graph = featureGraph(sources.filter(({ path }) => featureOf(path) !== undefined))
  const lines = [...graph.keys()].toSorted().flatMap((from) => {
    const direct = [...(graph.get(from)?.keys() ?? [])].toSorted()
    const implied = new Set(direct.flatMap((to) => [...reachableFrom(graph, to)]))
    const targets = direct.filter((to) => !implied.has(to))
    return targets.length === 0 ? [] : [`  ${from} --> ${targets.join(' & ')}`]
  })
  const connected = new Set([...graph].flatMap(([from, edges]) => [from, ...edges.keys()]))
  const all = new Set(sources.flatMap(({ path }) => featureOf(path) ?? []))
  const alone = [...all].filter((feature) => !connected.has(feature)).toSorted()
  return ['flowchart TB', ...lines, ...alone.map((feature) => `  ${feature}`)].join('\n')
}

function graphOf(sources: Source[], ends: (edge: Edge) => [string, string] | undefined): Graph {
  const graph: Graph = new Map()
  for (const { path, imports } of sources) {
    if (isTest(path) || cycleNodeOf(path) === undefined) continue
    for (const { target = '', line, kind } of imports) {
      // A page of the console loads sections of other features when it needs them.
      if (kind === 'dynamic' && featureOf(path) === undefined) continue
      const edge = { path, target, line }
      const [from, to] = ends(edge) ?? []
      if (from === undefined || to === undefined) continue
      const edges = graph.get(from) ?? new Map<string, Edge>()
      graph.set(from, edges)
      if (!edges.has(to)) edges.set(to, edge)
    }
  }
  return graph
}

/** Returns at least one cycle from each group of nodes that can reach one another. */
function cyclesIn(graph: Graph): Edge[][] {
  const cycles: Edge[][] = []
  const visited = new Set<string>()
  const visit = (node: string, path: string[], edges: Edge[]) => {
    const start = path.indexOf(node)
    if (start >= 0) cycles.push(edges.slice(start))
    if (visited.has(node)) return
    visited.add(node)
    for (const [next, edge] of graph.get(node) ?? []) visit(next, [...path, node], [...edges, edge])
  }
  for (const node of graph.keys()) visit(node, [], [])
  return cycles
}

function reachableFrom(graph: Graph, node: string, found = new Set<string>()): Set<string> {
  for (const next of graph.get(node)?.keys() ?? []) {
    if (found.has(next)) continue
    found.add(next)
    reachableFrom(graph, next, found)
  }
  return found
}

function finding(kind: 'features' | 'files', cycle: Edge[]): Finding {
  const nameOf = (path: string) => (kind === 'features' ? (cycleNodeOf(path) ?? '') : inServer(path))
  const names = cycle.map(({ path }) => nameOf(path))
  const ring = [...names, names[0]].join(' → ')
  const imports = cycle.map(
    ({ path, target, line }) => `${inServer(path)}:${line} imports ${inServer(target)}`,
  )
  const [{ path, line } = { path: '', line: 1 }] = cycle
  return {
    path,
    line,
    message: `import cycle between ${kind}: ${ring}. Remove one of: ${imports.join('; ')}`,
  }
}
