package import SwiftletBase

/// Text files with one label per line.
package enum LabelFile {
  /// The maximum size of a label file in bytes.
  package static let longest = 1 << 24
  /// The maximum number of lines. Even an empty line takes some memory.
  package static let maximumLines = 1 << 20

  /// Returns an upper bound, in bytes, for the memory of the lines of a label file.
  package static func memoryByteCount(of file: ByteRegion) -> Int {
    let lineEnds = file.withBytes { bytes in
      bytes.count { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    }
    // A string of more than 15 bytes has its own heap allocation.
    return file.count + 48 * (lineEnds + 1)
  }

  /// Returns the lines of a label file. The zero-based line number is the class index.
  ///
  /// Lines end with `\n`, `\r`, or `\r\n`. One empty line at the end is dropped; other empty lines are empty labels.
  ///
  /// - Throws: `SchemaError` if the file is empty, longer than `longest`, or has more lines than `maximumLines`, or
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

/// The names of the files that contain a model's class names.
package struct LabelFiles: Sendable, Hashable {
  package var labels: String
  /// The file with the display names, or `nil` if there is none in the requested language.
  package var displayNames: String?
}

/// The class names of a model.
package struct LabelMap: Sendable, Hashable {
  /// The class names for programs, by class index.
  package var labels: [String]
  /// The display names in the requested language, one per label; `nil` if the model has none.
  package var displayNames: [String]?

  /// Creates a map.
  ///
  /// - Throws: `SchemaError` if the number of display names differs from the number of labels.
  package init(labels: [String], displayNames: [String]?) throws(SchemaError) {
    if let displayNames, displayNames.count != labels.count {
      throw SchemaError(
        .invalid,
        "there must be as many display names as labels, got \(displayNames.count) and \(labels.count)")
    }
    self.labels = labels
    self.displayNames = displayNames
  }

  /// Creates a map from label files.
  ///
  /// - Parameter lines: Returns the lines of the file with the given name.
  /// - Throws: `SchemaError` if the number of display names differs from the number of labels, and the errors of
  ///   `lines`.
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
    /// The upper bound of the calibrated score; not negative.
    package var scale: Float
    package var slope: Float
    package var offset: Float
    /// The minimum score. Lower scores get the default score.
    package var minimumScore: Float?

    package init(scale: Float, slope: Float, offset: Float, minimumScore: Float? = nil) {
      self.scale = scale
      self.slope = slope
      self.offset = offset
      self.minimumScore = minimumScore
    }
  }

  /// The parameters by class; `nil` for classes that get the default score. If the file ends with a line feed, there is
  /// one more, empty entry.
  package var entries: [Parameters?]

  /// Creates the parameters from a calibration file.
  ///
  /// - Throws: `SchemaError` that names the line if a line doesn't have 3 or 4 numbers or has a negative scale, and if
  ///   the file is longer or has more lines than the limits of a label file.
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
        "line \(line) of the score calibration must have 3 or 4 numbers separated by commas, got \"\(text.excerpt)\"")
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
