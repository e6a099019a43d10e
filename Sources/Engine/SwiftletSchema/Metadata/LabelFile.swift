package import SwiftletBase

/// Text files with one label per line.
package enum LabelFile {
  /// The most bytes of a label file.
  package static let longest = 1 << 24
  /// The most lines: every one takes some memory, even when it is empty.
  package static let maximumLines = 1 << 20

  /// What the lines of a label file take in memory, in bytes: at least as much as they need.
  package static func memoryByteCount(of file: ByteRegion) -> Int {
    let lineEnds = file.withBytes { bytes in
      bytes.count { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    }
    // A string of more than 15 bytes has memory of its own.
    return file.count + 48 * (lineEnds + 1)
  }

  /// Returns the lines of a label file; the number of a line, from 0, is the index of its class.
  ///
  /// Lines end with `\n`, `\r` or `\r\n`. One empty line at the end is dropped; other empty lines are empty labels.
  ///
  /// - Throws: `SchemaError` if the file is empty, longer than `longest`, or has more lines than `maximumLines`, and
  ///   after the deadline of the call.
  package static func lines(_ file: ByteRegion, name: String) throws(SchemaError) -> [String] {
    guard file.count > 0 else {
      throw SchemaError(.invalid, "a label file must have at least one line, \"\(name.excerpt)\" is empty")
    }
    guard file.count <= longest else {
      throw SchemaError(
        .limitExceeded, "label file \"\(name.excerpt)\" has \(file.count) bytes; the limit is \(longest)")
    }
    let lineFeed = UInt8(ascii: "\n")
    let carriageReturn = UInt8(ascii: "\r")
    var lines: [String] = []
    var start = 0
    var index = 0
    var steps = StepCounter()
    while index < file.count {
      let byte = file.byte(at: index)
      let endsLine = byte == lineFeed || byte == carriageReturn
      if endsLine {
        guard lines.count < maximumLines else {
          throw SchemaError(
            .limitExceeded, "label file \"\(name.excerpt)\" has more lines than \(maximumLines), the limit")
        }
        try steps.step()
        lines.append(file.slice(offset: start, count: index - start)?.text ?? "")
        if byte == carriageReturn, file.byte(at: index + 1) == lineFeed { index += 1 }
        start = index + 1
      }
      index += 1
    }
    if start < file.count {
      lines.append(file.slice(offset: start, count: file.count - start)?.text ?? "")
    }
    return lines
  }
}

/// The names of the files that hold the names of a model's classes.
package struct LabelFiles: Sendable, Hashable {
  package var labels: String
  /// `nil` if there is none in the language that was asked for.
  package var displayNames: String?
}

/// The names of a model's classes.
package struct LabelMap: Sendable, Hashable {
  /// Names for programs, by class index.
  package var labels: [String]
  /// Names for people in the language that was asked for, as many as labels; `nil` if the model has none.
  package var displayNames: [String]?

  /// - Throws: `SchemaError` if there are not as many display names as labels.
  package init(labels: [String], displayNames: [String]?) throws(SchemaError) {
    if let displayNames, displayNames.count != labels.count {
      throw SchemaError(
        .invalid,
        "there must be as many display names as labels, got \(displayNames.count) and \(labels.count)")
    }
    self.labels = labels
    self.displayNames = displayNames
  }

  /// Creates a map from its files.
  ///
  /// - Parameter lines: Gives the lines of the file of a name.
  /// - Throws: `SchemaError` if there are not as many display names as labels, and what `lines` throws.
  package init(
    _ files: LabelFiles, lines: (_ name: String) throws(SchemaError) -> [String]
  ) throws(SchemaError) {
    let labels = try lines(files.labels)
    guard let name = files.displayNames else {
      try self.init(labels: labels, displayNames: nil)
      return
    }
    try self.init(labels: labels, displayNames: name == files.labels ? labels : try lines(name))
  }
}

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
      separator: UInt8(ascii: "\n"), maxSplits: LabelFile.maximumLines, omittingEmptySubsequences: false)
    guard lines.count <= LabelFile.maximumLines else {
      throw SchemaError(
        .limitExceeded, "the score calibration has more lines than \(LabelFile.maximumLines), the limit")
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
