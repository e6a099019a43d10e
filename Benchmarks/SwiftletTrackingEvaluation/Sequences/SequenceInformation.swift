/// The description of a video in a sequence's `seqinfo.ini`.
package struct SequenceInformation: Sendable, Hashable {
  package var name: String
  /// The number of frames per second.
  package var frameRate: Double
  package var frameCount: Int
  /// The width in pixels.
  package var width: Int
  package var height: Int

  package init(name: String, frameRate: Double, frameCount: Int, width: Int, height: Int) {
    self.name = name
    self.frameRate = frameRate
    self.frameCount = frameCount
    self.width = width
    self.height = height
  }

  /// Reads the section `[Sequence]`; unknown keys are ignored.
  ///
  /// - Throws: `EvaluationError` with file and line, for lines that aren't assignments, values out of range, and
  ///   missing or duplicate keys.
  package init(_ text: String, file: String) throws(EvaluationError) {
    var values: [String: (value: String, place: String)] = [:]
    var isInside = false
    var number = 0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      let line = Self.trimmed(line)
      if line.isEmpty || line.hasPrefix(";") || line.hasPrefix("#") { continue }
      if line.hasPrefix("[") {
        isInside = line == "[Sequence]"
        continue
      }
      guard isInside else { continue }
      guard let sign = line.firstIndex(of: "=") else {
        throw EvaluationError("\(file):\(number): '\(line.prefix(40))'; expected a line such as frameRate=30")
      }
      let key = Self.trimmed(line[..<sign])
      guard values[key] == nil else { throw EvaluationError("\(file):\(number): \(key) is given a second time") }
      values[key] = (Self.trimmed(line[line.index(after: sign)...]), "\(file):\(number)")
    }
    func entry<Value: Comparable>(_ key: String, in range: ClosedRange<Value>, _ convert: (String) -> Value?)
      throws(EvaluationError) -> Value
    {
      guard let entry = values[key] else {
        throw EvaluationError("\(file): \(key) is missing in the section [Sequence]")
      }
      guard let value = convert(entry.value), range.contains(value) else {
        throw EvaluationError(
          "\(entry.place): \(key) is '\(entry.value.prefix(40))'; expected a number in \(range.lowerBound)…\(range.upperBound)"
        )
      }
      return value
    }
    name = values["name"]?.value ?? ""
    frameRate = try entry("frameRate", in: 0.1...1000) { Double($0) }
    frameCount = try entry("seqLength", in: 1...MOTText.maxFrame) { Int($0) }
    width = try entry("imWidth", in: 1...1_000_000) { Int($0) }
    height = try entry("imHeight", in: 1...1_000_000) { Int($0) }
  }

  package var text: String {
    "[Sequence]\nname=\(name)\nframeRate=\(frameRate)\nseqLength=\(frameCount)\nimWidth=\(width)\nimHeight=\(height)\n"
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    var text = String(text)
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text.drop { $0.isWhitespace })
  }
}
