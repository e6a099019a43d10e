import Foundation
import SwiftletTestSupport
import Testing

/// A checked-in assembly file with the properties that the tests check.
struct AssemblyFile: Sendable, CustomTestStringConvertible {
  static let levels = [
    "portable_x86_64", "avx2", "avxvnni", "avx512", "avx512bf16", "portable_arm64", "neon", "dotprod", "i8mm",
    "bf16",
  ]

  /// The level, one of `levels`.
  let level: String
  let text: String
  let lines: [String]

  var testDescription: String { level }

  var isForX86: Bool { level.hasPrefix("avx") || level.hasSuffix("x86_64") }

  /// The prefix of its functions' names.
  var prefix: String { "swiftlet_\(level.prefix { $0 != "_" })_" }

  static let packageRoot = URL(filePath: TestData.packagePath)

  static let all: [AssemblyFile] = levels.compactMap { level in
    try? AssemblyFile(level: level, at: packageRoot.appending(path: "Sources/Engine/SwiftletKernelSets"))
  }

  init(level: String, at folder: URL) throws {
    self.level = level
    text = try String(contentsOf: folder.appending(path: "kernels_\(level).S"), encoding: .utf8)
    // The text as preprocessed for ELF.
    lines = text.replacingOccurrences(of: #"\bL\((\w+)\)"#, with: ".L$1", options: .regularExpression)
      .replacingOccurrences(of: #"\bSYMBOL\((\w+)\)"#, with: "$1", options: .regularExpression)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Returns the value of a `// name: value` line at the top.
  func header(_ name: String) -> String? {
    lines.prefix(8).first { $0.hasPrefix("// \(name): ") }.map { String($0.dropFirst(name.count + 5)) }
  }

  /// The names in `.globl` directives.
  var exportedNames: Set<String> {
    Set(lines.filter { $0.hasPrefix("\t.globl\t") }.map { String($0.dropFirst(8)) })
  }

  /// The labels that an object file would keep: everything but `.L…`.
  var labels: Set<String> {
    Set(lines.filter { $0.hasSuffix(":") && !$0.hasPrefix(".L") && !$0.hasPrefix("\t") }.map { String($0.dropLast()) })
  }

  /// Whether the instruction calls a function or traps.
  func callsOrTraps(_ mnemonic: some StringProtocol) -> Bool {
    isForX86
      ? mnemonic.hasPrefix("call") || mnemonic == "ud2"
      : mnemonic.hasPrefix("bl") || mnemonic == "brk" || mnemonic == "udf"
  }

  /// Whether the instruction jumps to a label. (Jumps through tables name a register.)
  func jumps(_ mnemonic: some StringProtocol) -> Bool {
    isForX86
      ? mnemonic.hasPrefix("j")
      : ["b", "cbz", "cbnz", "tbz", "tbnz"].contains(String(mnemonic)) || mnemonic.hasPrefix("b.")
  }

  /// Whether a line writes a vector to the stack.
  func spillsVector(_ line: String) -> Bool {
    isForX86
      ? line.hasSuffix("(%rsp)") && line.contains("mm")
      : line.hasPrefix("\tst") && line.contains("q") && line.contains("[sp")
  }

  struct Loop {
    let kernel: String
    let line: Int
    let instructions: ArraySlice<String>
  }

  /// The kernels whose tiles need more registers than arm64 has, and therefore spill some vectors.
  var largeTiles: Set<String> {
    let names: [String] =
      switch level {
      case "portable_x86_64": ["peak_dot_u8"]
      case "portable_arm64": ["depthwise_u8", "peak_dot_u8"]
      case "neon": ["depthwise_u8", "peak_dot_u8"]
      case "dotprod": ["depthwise_streams_u8"]
      case "i8mm": ["depthwise_streams_u8", "gemm_u8_requantize", "gemm_u8_accumulate", "gemm_u8_dynamic_range"]
      default: []
      }
    let ofAll = isForX86 ? [] : ["peak_multiply_add_f32"]
    return Set((names + ofAll).map { prefix + $0 })
  }

  /// The loops without inner branches, from the label to the backward jump. Kernels spend most of their time in them.
  var straightLoops: [Loop] {
    var loops: [Loop] = []
    var label: Int?, kernel = ""
    for (index, line) in lines.enumerated() {
      if line.hasSuffix(":"), !line.hasPrefix("\t") {
        label = index
        if line.hasPrefix("swiftlet_") { kernel = String(line.dropLast()) }
      } else if jumps(line.dropFirst().prefix { $0 != "\t" }), let start = label,
        line.hasSuffix("\t" + lines[start].dropLast()) || line.hasSuffix(", " + lines[start].dropLast())
      {
        loops.append(Loop(kernel: kernel, line: start, instructions: lines[start...index]))
      }
    }
    return loops
  }
}
