extension Session {
  /// Gives input `index` strings, which stay from run to run. Its shape must be right before.
  ///
  /// - Throws: `RuntimeError`: `invalidArgument` when there is no such input or its shape has another number of
  ///   elements, `typeMismatch` when it does not hold strings, `limitExceeded` when there is no room for them.
  public func setStrings(_ strings: [String], at index: Int) throws(RuntimeError) {
    try setStrings(strings.map { [UInt8]($0.utf8) }, at: index)
  }

  /// The strings of output `index` of the last run; bytes that are no UTF-8 become replacement characters.
  ///
  /// - Throws: `RuntimeError`: `invalidArgument` when there is no such output or nothing has run yet, `typeMismatch`
  ///   when it does not hold strings, `limitExceeded` when they are longer together than
  ///   `RuntimeOptions.Limits.stringBytes`.
  public func strings(ofOutput index: Int) throws(RuntimeError) -> [String] {
    try stringBytes(ofOutput: index).map { String(decoding: $0, as: UTF8.self) }
  }

  func setStrings(_ strings: [[UInt8]], at index: Int) throws(RuntimeError) {
    try withStoredInput(index) { (spec, memory) throws(RuntimeError) in
      guard spec.elementType == .string else {
        throw RuntimeError(.typeMismatch, "input \(index) \(spec) does not hold strings")
      }
      guard strings.count == spec.shape.elementCount else {
        throw RuntimeError(.invalidArgument, "input \(index) \(spec) got \(strings.count) strings")
      }
      let numbers = memory.assumingMemoryBound(to: UInt64.self)
      for (position, string) in strings.enumerated() { numbers[position] = try self.strings.number(of: string) }
    }
  }

  func stringBytes(ofOutput index: Int) throws(RuntimeError) -> [[UInt8]] {
    try withStoredOutput(index) { (spec, memory) throws(RuntimeError) in
      guard spec.elementType == .string else {
        throw RuntimeError(.typeMismatch, "output \(index) \(spec) does not hold strings")
      }
      return try self.strings.strings(memory, limit: model.options.limits.stringBytes, of: "output \(index) \(spec)")
    }
  }

  /// Forgets strings of earlier runs, once they take much memory; those of the inputs stay.
  func forgetStrings() throws(RuntimeError) {
    guard environment.stringByteCount > min(Self.keptStringBytes, model.options.limits.stringBytes / 4) else { return }
    var kept: [[[UInt8]]] = []
    for index in stringInputs {
      kept.append(
        try withStoredInput(index) { (_, memory) throws(RuntimeError) in
          memory.assumingMemoryBound(to: UInt64.self).map { self.strings.string($0) ?? [] }
        })
    }
    strings.removeAll()
    for (index, values) in zip(stringInputs, kept) { try setStrings(values, at: index) }
  }

  private static let keptStringBytes = 1 << 20
}
