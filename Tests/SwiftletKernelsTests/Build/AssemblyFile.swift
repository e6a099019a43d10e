import Foundation
import Testing

/// One checked-in assembly file and what the tests ask about it.
struct AssemblyFile: Sendable, CustomTestStringConvertible {
  /// `avx2` or `avx512`.
  let level: String
  let lines: [String]

  var testDescription: String { level }

  static let packageRoot = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static let all: [AssemblyFile] = ["avx2", "avx512"].compactMap { level in
    try? AssemblyFile(level: level, at: packageRoot.appending(path: "Sources/SwiftletKernelsX86"))
  }

  init(level: String, at folder: URL) throws {
    self.level = level
    lines = try String(contentsOf: folder.appending(path: "kernels_\(level).S"), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The value of a `// name: value` line at the top.
  func header(_ name: String) -> String? {
    lines.prefix(8).first { $0.hasPrefix("// \(name): ") }.map { String($0.dropFirst(name.count + 5)) }
  }

  /// Names in `.globl` directives.
  var exportedNames: Set<String> {
    Set(lines.filter { $0.hasPrefix("\t.globl\t") }.map { String($0.dropFirst(8)) })
  }

  /// Labels that an object file would keep: everything but `.L…`.
  var labels: Set<String> {
    Set(lines.filter { $0.hasSuffix(":") && !$0.hasPrefix(".L") && !$0.hasPrefix("\t") }.map { String($0.dropLast()) })
  }

  /// The instructions of every loop without an inner loop, with the line its label is on.
  var innermostLoops: [(line: Int, instructions: ArraySlice<String>)] {
    var labelLines: [Substring: Int] = [:]
    var loops: [(line: Int, instructions: ArraySlice<String>)] = []
    for (index, line) in lines.enumerated() {
      if line.hasPrefix(".L"), line.hasSuffix(":") {
        labelLines[line.dropLast()] = index
      } else if line.hasPrefix("\tj"), let target = line.split(separator: "\t").last, let start = labelLines[target],
        !loops.contains(where: { $0.line > start })
      {
        loops.append((start, lines[start...index]))
      }
    }
    return loops
  }
}
