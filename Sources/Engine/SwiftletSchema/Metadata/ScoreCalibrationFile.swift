package import SwiftletBase

/// The parameters of score calibration, one entry per class.
///
/// - Source: each line is empty, or `scale,slope,offset` with an optional `,minimum score`.
package struct ScoreCalibrationFile: Sendable, Hashable {
  package struct Parameters: Sendable, Hashable {
    /// The greatest calibrated score; not negative.
    package var scale: Float
    package var slope: Float
    package var offset: Float
    /// Lower scores get the default score.
    package var minimumScore: Float?

    package init(scale: Float, slope: Float, offset: Float, minimumScore: Float? = nil) {
      self.scale = scale
      self.slope = slope
      self.offset = offset
      self.minimumScore = minimumScore
    }
  }

  /// `nil` for classes that get the default score. A file that ends with a line feed has one more, empty, entry.
  package var entries: [Parameters?]

  /// - Throws: `SchemaError` naming the line that does not hold 3 or 4 numbers, or has a negative scale; or when the
  ///   file is longer than a label file may be, or has more lines.
  package init(_ file: ByteRegion) throws(SchemaError) {
    guard file.count <= LabelFile.longest else {
      throw SchemaError(
        .limitExceeded, "the score calibration has \(file.count) bytes; the limit is \(LabelFile.longest)")
    }
    entries = []
    let lines = file.bytes.split(
      separator: UInt8(ascii: "\n"), maxSplits: LabelFile.mostLines, omittingEmptySubsequences: false)
    guard lines.count <= LabelFile.mostLines else {
      throw SchemaError(.limitExceeded, "the score calibration has more lines than \(LabelFile.mostLines), the limit")
    }
    var steps = StepCounter(every: 256)
    for (index, line) in lines.enumerated() {
      try steps.step()
      entries.append(line.isEmpty ? nil : try Self.parameters(String(decoding: line, as: UTF8.self), line: index + 1))
    }
  }

  private static func parameters(_ text: String, line: Int) throws(SchemaError) -> Parameters {
    let fields = text.split(separator: ",", omittingEmptySubsequences: false).map(Self.trimmed)
    let numbers = fields.compactMap { Float($0) }
    guard numbers.count == fields.count, (3...4).contains(numbers.count), numbers.allSatisfy(\.isFinite) else {
      throw SchemaError(
        .invalid,
        "line \(line) of the score calibration must hold 3 or 4 numbers separated by commas, got \"\(text.excerpt)\"")
    }
    guard numbers[0] >= 0 else {
      throw SchemaError(
        .invalid, "the scale in line \(line) of the score calibration must not be negative, got \(numbers[0])")
    }
    return Parameters(
      scale: numbers[0], slope: numbers[1], offset: numbers[2], minimumScore: numbers.count == 4 ? numbers[3] : nil)
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
