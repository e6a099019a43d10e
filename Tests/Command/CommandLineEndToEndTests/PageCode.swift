import Foundation
import SwiftletTestSupport
import Testing

/// The code on pages of the documentation.
enum PageCode {
  /// Returns the lines of each Swift code block on a page.
  static func blocks(of page: String) throws -> [[Substring]] {
    let text = try String(contentsOfFile: TestData.packagePath + "/" + page, encoding: .utf8)
    return text.components(separatedBy: "\n```swift\n").dropFirst()
      .map { $0.components(separatedBy: "\n```")[0].split(separator: "\n", omittingEmptySubsequences: false) }
  }

  /// Type-checks a program that uses the package's modules, and expects no errors.
  ///
  /// - Parameter languageMode: The Swift language mode; third-party code often uses an older one.
  static func expectToCompile(_ program: String, languageMode: String = "6") throws {
    // Module maps of C targets are one directory below the products.
    let products = URL(fileURLWithPath: Tool.path(of: "swiftlet")).deletingLastPathComponent().path
    let modules = products + "/Modules"
    try #require(FileManager.default.fileExists(atPath: modules + "/SwiftletVision.swiftmodule"), "\(modules)")
    let folder = try TemporaryFolder()
    let file = try folder.write(Array(program.utf8), to: "page.swift")
    let command =
      #"swiftc -typecheck -suppress-warnings -swift-version "$2" -package-name "$3" -I "$0/Modules" -I "$0" "$1" 2>&1"#
    // The identity that SwiftPM derives from the package's directory.
    let folderName = URL(fileURLWithPath: TestData.packagePath).lastPathComponent.lowercased()
    let packageName = String(folderName.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    let (status, output) = try OtherProgram.run("/bin/sh", ["-c", command, products, file, languageMode, packageName])
    #expect(status == 0, "\(output.prefix(4000))")
  }
}
