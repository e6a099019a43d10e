import Foundation
import SwiftletTestSupport
import Testing

/// Checks that the assembly of `SwiftletKernelSets` works on all systems of its CPU: ELF and Mach-O.
@Suite("Assembly for other systems")
struct AssemblyDialectTests {
  static let sources = AssemblyFile.packageRoot.appending(path: "Sources/Engine/SwiftletKernelSets")

  /// The C compiler of the Swift toolchain, which can assemble for every system.
  static let compiler: String? = {
    guard let (status, output) = try? OtherProgram.run("/usr/bin/env", ["which", "clang"]), status == 0 else {
      return nil
    }
    return output.trimmingCharacters(in: .whitespacesAndNewlines)
  }()

  /// An assembly file and a system that it must assemble for.
  struct System: Sendable, CustomTestStringConvertible {
    let file: AssemblyFile
    let target: String

    var testDescription: String { "\(file.level) for \(target)" }
  }

  static let systems: [System] = AssemblyFile.all.flatMap { file in
    let targets =
      file.isForX86
      ? ["x86_64-unknown-linux-gnu", "x86_64-apple-macos13"]
      : ["aarch64-unknown-linux-gnu", "arm64-apple-macos13", "arm64-apple-ios16"]
    return targets.map { System(file: file, target: $0) }
  }

  @Test(
    "assembles without a warning, and exports the same kernels",
    .enabled(if: compiler != nil, "needs clang of the Swift toolchain"), arguments: systems)
  func assembles(_ system: System) throws {
    let compiler = try #require(Self.compiler)
    let folder = FileManager.default.temporaryDirectory.appending(path: "swiftlet-dialect-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = Self.sources.appending(path: "kernels_\(system.file.level).S").path
    let object = folder.appending(path: "kernels.o")
    let (status, _) = try OtherProgram.run(
      compiler, ["-target", system.target, "-Werror", "-c", source, "-o", object.path])
    #expect(status == 0)
    let bytes = try Data(contentsOf: object)
    let isMachO = system.target.contains("apple")
    // Names in the object's string table end with a zero byte; Mach-O names begin with an underscore.
    for name in system.file.exportedNames {
      #expect(bytes.range(of: Data("\(isMachO ? "_" : "")\(name)\0".utf8)) != nil, "\(name)")
    }
    #expect(bytes.prefix(4) == (isMachO ? Data([0xCF, 0xFA, 0xED, 0xFE]) : Data([0x7F, 0x45, 0x4C, 0x46])))
  }

  @Test("doesn't use the register that Android and Apple platforms reserve", arguments: AssemblyFile.all)
  func reservesPlatformRegister(_ file: AssemblyFile) {
    // Foundation's regular expressions, because Swift's take minutes for these files without optimization.
    let use = file.text.range(of: #"(?m)^\t.*\b[xw]18\b.*$"#, options: .regularExpression)
    #expect(use.map { String(file.text[$0]) } == nil)
  }

  @Test("passes no narrow integers on the stack, where Apple platforms pack them")
  func widensArgumentsOnTheStack() throws {
    for name in ["kernels.inc", "bfloat16_kernels.inc"] {
      let text = try String(contentsOf: Self.sources.appending(path: name), encoding: .utf8)
      let kernels = text.matches(of: /SWIFTLET_KERNEL\(\w+, (\w+), \(([^)]*)\)\)/)
      #expect(!kernels.isEmpty)
      for kernel in kernels {
        let parameters = kernel.2.split(separator: ",").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        let integers = parameters.filter { !$0.hasPrefix("float ") }
        #expect(parameters.count - integers.count <= 8, "\(kernel.1)")
        #expect(integers.dropFirst(8).filter { $0.contains(/^int32_t \w/) } == [], "\(kernel.1)")
      }
    }
  }
}
