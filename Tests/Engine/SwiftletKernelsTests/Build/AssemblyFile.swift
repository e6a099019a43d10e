import Foundation
import SwiftletTestSupport
import Testing

/// One checked-in assembly file and what the tests ask about it.
struct AssemblyFile: Sendable, CustomTestStringConvertible {
  static let levels = ["avx2", "avx512", "avx512bf16"]

  /// One of `levels`.
  let level: String
  let lines: [String]

  var testDescription: String { level }

  static let packageRoot = URL(filePath: TestData.packagePath)

  static let all: [AssemblyFile] = levels.compactMap { level in
    try? AssemblyFile(level: level, at: packageRoot.appending(path: "Sources/Engine/SwiftletKernelSets"))
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

  /// Every loop that is one straight run of instructions, from its label to the jump back: where kernels spend their
  /// time.
  var straightLoops: [(line: Int, instructions: ArraySlice<String>)] {
    var loops: [(line: Int, instructions: ArraySlice<String>)] = []
    var label: Int?
    for (index, line) in lines.enumerated() {
      if line.hasSuffix(":"), !line.hasPrefix("\t") {
        label = index
      } else if line.hasPrefix("\tj"), let start = label, line.hasSuffix("\t" + lines[start].dropLast()) {
        loops.append((start, lines[start...index]))
      }
    }
    return loops
  }
}
