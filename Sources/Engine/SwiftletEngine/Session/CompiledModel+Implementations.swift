extension CompiledModel {
  /// How the operators of the entry point's graph are computed that have a turn of their own in a run, in the order of
  /// their turns, for reports. Those whose shapes only a run knows are missing.
  package var implementations: [(location: RuntimeError.Location, implementation: String)] {
    program.nodes.map { ($0.location, "\($0.implementation)") }
  }

  /// What a run multiplies and adds, counted once for each pair, in the operators of the entry point's graph whose
  /// shapes are known before.
  package var multiplyAdds: Int {
    program.nodes.reduce(0) { total, node in
      let (sum, overflow) = total.addingReportingOverflow(node.multiplyAdds)
      return overflow ? .max : sum
    }
  }
}
