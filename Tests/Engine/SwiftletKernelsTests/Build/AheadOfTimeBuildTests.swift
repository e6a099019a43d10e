import Foundation
import SwiftletTestSupport
import Testing

/// Checks that the assembly of `SwiftletKernelSets` was generated from the current sources, and has no other
/// dependencies. The stage `kernels` compiles it again.
@Suite("Ahead-of-time kernel build")
struct AheadOfTimeBuildTests {
  static let tool = AssemblyFile.packageRoot.appending(path: "Tools/build-kernels/build-kernels")

  /// Returns the output of the tool, or nil if it fails.
  static func output(of arguments: [String]) throws -> String? {
    let (status, output) = try OtherProgram.run(tool.path, arguments)
    return status == 0 ? output.trimmingCharacters(in: .whitespacesAndNewlines) : nil
  }

  /// Returns the kernels of a level as declared in C, without prefix.
  static func declaredNames(_ level: String) throws -> Set<String> {
    let name = level.hasSuffix("bf16") ? "bfloat16_kernels.inc" : "kernels.inc"
    let header = AssemblyFile.packageRoot.appending(path: "Sources/Engine/SwiftletKernelSets/\(name)")
    return Set(
      try String(contentsOf: header, encoding: .utf8).matches(of: /SWIFTLET_KERNEL\(\w+, (\w+),/).map { String($0.1) })
  }

  @Test("all levels are checked in")
  func allLevelsAreCheckedIn() {
    #expect(AssemblyFile.all.map(\.level) == AssemblyFile.levels)
  }

  @Test(
    "the assembly is up to date with the sources (otherwise, run Tools/build-kernels)",
    .enabled(if: OtherProgram.hasPython, "needs python3"))
  func assemblyIsFresh() throws {
    let output = try #require(try Self.output(of: ["--digests"]))
    let digests = output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(digests == AssemblyFile.all.map { [$0.level, $0.header("digest") ?? ""] })
  }

  @Test(
    "exports the declared entry points that other sets don't provide, and nothing else", arguments: AssemblyFile.all)
  func exportsOnlyEntryPoints(_ file: AssemblyFile) throws {
    let shared = try file.sharedFunctions()
    let declared = try Self.declaredNames(file.level)
    #expect(Set(shared.keys).isStrictSubset(of: declared))
    let own = Set(declared.subtracting(shared.keys).map { file.prefix + $0 })
    #expect(file.exportedNames == own)
    #expect(file.endedNames == own)
    #expect(file.labels.isEmpty && !file.text.contains(".globl"))
    for (name, prefix) in shared {
      let other = try #require(AssemblyFile.all.first { $0.prefix == prefix && $0.isForX86 == file.isForX86 })
      #expect(other.exportedNames.contains(prefix + name), "\(prefix)\(name)")
    }
  }

  @Test("no kernel calls anything, and none can trap", arguments: AssemblyFile.all)
  func kernelsAreLeaves(_ file: AssemblyFile) {
    for (index, line) in file.lines.enumerated() where line.hasPrefix("\t") {
      let mnemonic = line.dropFirst().prefix { $0 != "\t" }
      #expect(!file.callsOrTraps(mnemonic), "line \(index + 1): \(line)")
      if file.jumps(mnemonic) {
        #expect(line.contains(".L") || line.contains("*%"), "leaves the kernel, line \(index + 1): \(line)")
      }
    }
  }

  @Test("no inner loop spills more than one vector", arguments: AssemblyFile.all)
  func innerLoopsStayInRegisters(_ file: AssemblyFile) {
    #expect(file.straightLoops.count > 10)
    for loop in file.straightLoops {
      let stores = loop.instructions.filter(file.spillsVector)
      if file.largeTiles.contains(loop.kernel) { continue }
      #expect(stores.count <= 1, "loop at line \(loop.line + 1) of \(loop.kernel)")
    }
  }
}
