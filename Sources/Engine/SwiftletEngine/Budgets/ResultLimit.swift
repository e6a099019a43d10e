extension RuntimeOptions.Limits {
  /// Checks what a call returns against `resultBytes`.
  ///
  /// - Parameters:
  ///   - count: The number of values of one kind that are about to be made.
  ///   - size: The bytes of each.
  ///   - before: The bytes that count already.
  ///   - purpose: The name of the values, a plural, for the message. Made only for one: an interpolated name allocates.
  ///   - advice: What a caller can do to get fewer of them, such as `set maxResults`.
  /// - Returns: The bytes that count now.
  /// - Throws: `limitExceeded` if they are more than the limit.
  package func checkResults(
    _ count: Int, each size: Int, before: Int, for purpose: @autoclosure () -> String, advice: String? = nil
  ) throws(RuntimeError) -> Int {
    let (bytes, isTooMany) = count.multipliedReportingOverflow(by: size)
    let (sum, isTooLarge) = before.addingReportingOverflow(bytes)
    if !isTooMany, !isTooLarge, sum <= resultBytes { return sum }
    let size = isTooMany || isTooLarge ? "more than \(Int.max)" : "\(sum)"
    throw RuntimeError(
      .limitExceeded,
      "\(purpose()) bring the results of a call, with what is kept for it, to \(size) bytes, which exceeds the limit of \(resultBytes) bytes; \(advice.map { $0 + ", or " } ?? "")raise RuntimeOptions.limits.resultBytes if this is intended"
    )
  }
}
