import SwiftletBase

/// The graph of calls between subgraphs through control-flow operators.
struct SubgraphCallGraph {
  /// The called subgraphs of each subgraph, in operator order, with duplicates.
  private let callees: [[Int]]

  /// The maximum number of calls in all subgraphs. Operators with many branches may share one list of subgraphs in the
  /// file.
  private static let maximumCalls = 1 << 20

  /// Creates the call graph.
  ///
  /// - Throws: `SchemaError` if a called subgraph doesn't exist, if a subgraph calls itself directly or indirectly, or
  ///   if calls are nested deeper than `depthLimit`.
  init(_ subgraphs: [Subgraph], depthLimit: Int) throws(SchemaError) {
    var callees: [[Int]] = []
    var callCount = 0
    for index in subgraphs.indices {
      callees.append(
        try locating("subgraphs[\(index)]") { () throws(SchemaError) in
          try Self.callees(of: index, in: subgraphs, atMost: Self.maximumCalls - callCount)
        })
      callCount += callees[index].count
    }
    self.callees = callees
    var depths = [Int?](repeating: nil, count: subgraphs.count)
    for index in subgraphs.indices {
      _ = try depth(of: index, path: [], depthLimit: depthLimit, depths: &depths)
    }
  }

  /// Returns whether each subgraph is reachable from `entries`. Entries that don't exist are ignored.
  func reachable(from entries: [Int]) -> [Bool] {
    var isReachable = [Bool](repeating: false, count: callees.count)
    var waiting = entries.filter(callees.indices.contains)
    while let index = waiting.popLast() {
      guard !isReachable[index] else { continue }
      isReachable[index] = true
      waiting += callees[index].filter { !isReachable[$0] }
    }
    return isReachable
  }

  /// Returns the subgraphs that a subgraph calls, in operator order, with duplicates.
  private static func callees(
    of index: Int, in subgraphs: [Subgraph], atMost limit: Int
  ) throws(SchemaError) -> [Int] {
    var callees: [Int] = []
    for (position, description) in subgraphs[index].operators.enumerated() {
      try locating("operators[\(position)] (\(description.code.kind.name.excerpt))") { () throws(SchemaError) in
        for callee in try description.calledSubgraphs() {
          guard subgraphs.indices.contains(callee) else {
            throw SchemaError(
              .invalid, "the operator calls subgraph \(callee); the model has \(subgraphs.count) subgraphs")
          }
          callees.append(callee)
        }
        guard callees.count <= limit else {
          throw SchemaError(.limitExceeded, "operators call subgraphs more than \(Self.maximumCalls) times")
        }
      }
    }
    return callees
  }

  /// Returns the number of call levels that start at a subgraph, including the subgraph.
  private func depth(
    of index: Int, path: [Int], depthLimit: Int, depths: inout [Int?]
  ) throws(SchemaError) -> Int {
    if let known = depths[index] { return known }
    guard !path.contains(index) else {
      let cycle = (path.drop { $0 != index } + [index]).map(String.init).joined(separator: " → ")
      throw SchemaError(
        .invalid, "subgraphs must not call themselves, got the cycle \(cycle.excerpt)", location: "subgraphs[\(index)]")
    }
    guard path.count < depthLimit else {
      throw SchemaError(
        .limitExceeded, "subgraphs call one another more than \(depthLimit) levels deep",
        location: "subgraphs[\(index)]")
    }
    var deepest = 0
    for callee in callees[index] {
      deepest = max(
        deepest,
        try depth(of: callee, path: path + [index], depthLimit: depthLimit, depths: &depths))
    }
    guard deepest + 1 <= depthLimit else {
      throw SchemaError(
        .limitExceeded, "subgraphs call one another more than \(depthLimit) levels deep",
        location: "subgraphs[\(index)]")
    }
    depths[index] = deepest + 1
    return deepest + 1
  }
}

extension OperatorDescription {
  /// Returns the subgraphs that the operator's options refer to, in schema order.
  package func calledSubgraphs() throws(SchemaError) -> [Int] {
    guard case .builtin(let builtin) = code.kind else { return [] }
    switch builtin {
    case .ifElse: return [try options[IfOptions.thenSubgraphIndex], try options[IfOptions.elseSubgraphIndex]]
    case .whileLoop:
      return [try options[WhileOptions.conditionSubgraphIndex], try options[WhileOptions.bodySubgraphIndex]]
    case .stablehloWhile:
      return [
        try options[StableHLOWhileOptions.conditionSubgraphIndex], try options[StableHLOWhileOptions.bodySubgraphIndex],
      ]
    case .callOnce: return [try options[CallOnceOptions.initializationSubgraphIndex]]
    case .stablehloComposite: return [try options[StableHLOCompositeOptions.decompositionSubgraphIndex]]
    case .stablehloReduce: return [try options[StableHLOReduceOptions.bodySubgraphIndex]]
    case .stablehloScatter: return [try options[StableHLOScatterOptions.updateComputationSubgraphIndex]]
    case .stablehloReduceWindow: return [try options[StableHLOReduceWindowOptions.bodySubgraphIndex]]
    case .stablehloSort: return [try options[StableHLOSortOptions.comparatorSubgraphIndex]]
    case .stablehloCase: return try options[StableHLOCaseOptions.branchSubgraphIndices]
    default: return []
    }
  }
}
