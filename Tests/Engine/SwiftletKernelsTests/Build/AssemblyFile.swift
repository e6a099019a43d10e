import Foundation
import SwiftletTestSupport
import Testing

/// A checked-in assembly file with the properties that the tests check.
struct AssemblyFile: Sendable, CustomTestStringConvertible {
  /// The levels in the order of their list, `Tools/build-kernels/levels`.
  static let levels: [String] = {
    let list = try? String(contentsOf: packageRoot.appending(path: "Tools/build-kernels/levels"), encoding: .utf8)
    return (list ?? "").split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
      $0.prefix { $0 != "|" }.trimmingCharacters(in: .whitespaces)
    }
  }()

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
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Returns the value of a `// name: value` line at the top.
  func header(_ name: String) -> String? {
    lines.prefix(8).first { $0.hasPrefix("// \(name): ") }.map { String($0.dropFirst(name.count + 5)) }
  }

  /// The names in the macros that begin functions. Others end them.
  var exportedNames: Set<String> { names(inMacro: "KERNEL") }
  var endedNames: Set<String> { names(inMacro: "KERNEL_END") }

  private func names(inMacro macro: String) -> Set<String> {
    Set(lines.filter { $0.hasPrefix("\t\(macro)\t") }.map { String($0.dropFirst(macro.count + 2)) })
  }

  /// The labels that an object file would keep besides those of the macros: everything but `.L…`.
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

  /// The functions that another file of the same architecture provides, each with the prefix of that file's functions.
  func sharedFunctions() throws -> [String: String] {
    let list = Self.packageRoot.appending(path: "Sources/Engine/SwiftletKernelSets/levels.inc")
    let parts = try String(contentsOf: list, encoding: .utf8).components(separatedBy: "#elif defined(SWIFTLET_ARM64)")
    let definitions = parts[isForX86 ? 0 : 1].matches(
      of: /#define (swiftlet_[a-z0-9]+_)(\w+) (swiftlet_[a-z0-9]+_)(\w+)/)
    return Dictionary(
      uniqueKeysWithValues: definitions.filter { $0.1 == prefix && $0.2 == $0.4 }.map { (String($0.2), String($0.3)) })
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
      case "portable_arm64", "neon": ["depthwise_u8"]
      case "dotprod": ["depthwise_streams_u8"]
      case "i8mm": ["depthwise_streams_u8", "gemm_u8_requantize", "gemm_u8_accumulate", "gemm_u8_dynamic_range"]
      default: []
      }
    return Set(names.map { prefix + $0 })
  }

  /// The loops without inner branches, from the label to the backward jump. Kernels spend most of their time in them.
  var straightLoops: [Loop] {
    var loops: [Loop] = []
    var label: Int?, kernel = ""
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("\tKERNEL\t") {
        (label, kernel) = (nil, String(line.dropFirst(8)))
      } else if line.hasSuffix(":"), !line.hasPrefix("\t") {
        label = index
      } else if jumps(line.dropFirst().prefix { $0 != "\t" }), let start = label,
        line.hasSuffix("\t" + lines[start].dropLast()) || line.hasSuffix("," + lines[start].dropLast())
      {
        loops.append(Loop(kernel: kernel, line: start, instructions: lines[start...index]))
      }
    }
    return loops
  }
}
