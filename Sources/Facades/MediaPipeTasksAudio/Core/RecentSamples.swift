/// The newest of the samples that were loaded, as many as there is room for; zeros where there were fewer.
struct RecentSamples {
  private(set) var values: [Float]

  /// - Parameter length: cut to what a buffer may have.
  init(length: UInt) { values = [Float](repeating: 0, count: Int(min(length, FloatBuffer.mostElements))) }

  /// Appends samples and forgets as many old ones.
  ///
  /// - Throws: `TasksFailure` with MediaPipe's text for samples that the buffer does not have.
  mutating func load(_ buffer: FloatBuffer, offset: UInt, length: UInt) throws(TasksFailure) {
    let (end, overflows) = offset.addingReportingOverflow(length)
    guard !overflows, end <= buffer.length else {
      throw TasksFailure(
        misuse:
          "Index out of range. `offset` (\(offset)) + `length` (\(length)) must be <= `floatBuffer.length` (\(buffer.length))"
      )
    }
    let kept = min(Int(length), values.count)
    values.removeFirst(kept)
    // The end is at most the buffer's length, which fits.
    values += UnsafeBufferPointer(start: buffer.data + (Int(end) - kept), count: kept)
  }
}
