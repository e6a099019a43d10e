import Foundation
package import SwiftletImage
import SwiftletImageCodecs

/// An installed Chromium that renders pages without a window.
///
/// Tests that need it have the trait `.enabled(if: Browser.isAvailable)`. The environment variable `SWIFTLET_CHROMIUM`
/// selects another program.
package enum Browser {
  package enum Scheme: Sendable, CaseIterable {
    case light, dark
  }

  /// The rendered page and its console output.
  package struct Visit: Sendable {
    /// The window's content; `nil` if the document was requested instead.
    package var screenshot: ImageBuffer?
    /// The document as the page's scripts left it; empty if an image was requested.
    package var document: String
    /// Script errors, rejected loads, and all other console output.
    package var console: [String]
  }

  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  package static let program: String? = {
    let named = ProcessInfo.processInfo.environment["SWIFTLET_CHROMIUM"].map { [$0] } ?? []
    let installed = OtherProgram.places(of: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"])
    let applications = [
      "/Applications/Chromium.app/Contents/MacOS/Chromium",
      "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    ]
    let candidates = named + installed + applications
    return candidates.first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  package static var isAvailable: Bool { program != nil }

  /// Opens the page at `path` and returns an image of the window.
  ///
  /// - Parameter fragment: The part of the URL after `#`.
  package static func screenshot(
    ofPage path: String, fragment: String = "", scheme: Scheme = .light, width: Int = 1280, height: Int = 800
  ) throws -> Visit {
    let folder = try BrowserFolder()
    let file = folder.url("window.png")
    let (_, console) = try visit(
      path, fragment, scheme, width, height, folder, extra: ["--hide-scrollbars", "--screenshot=" + file.path])
    let decoded = try ImageDecoder.decode(path: file.path)
    return Visit(screenshot: decoded.image, document: "", console: console)
  }

  /// Opens the page at `path` and returns the document as its scripts left it.
  package static func document(
    ofPage path: String, fragment: String = "", scheme: Scheme = .light, width: Int = 1280, height: Int = 800
  ) throws -> Visit {
    let folder = try BrowserFolder()
    let (output, console) = try visit(path, fragment, scheme, width, height, folder, extra: ["--dump-dom"])
    return Visit(screenshot: nil, document: output, console: console)
  }

  private static func visit(
    _ path: String, _ fragment: String, _ scheme: Scheme, _ width: Int, _ height: Int, _ folder: BrowserFolder,
    extra: [String]
  ) throws -> (output: String, console: [String]) {
    guard let program else { throw Failure(description: "no Chromium is installed") }
    let page = URL(fileURLWithPath: path).absoluteString + (fragment.isEmpty ? "" : "#" + fragment)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    // Chromium's sandbox doesn't run as root, the user of tests in containers. The page has no network access.
    process.arguments =
      [
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
        "--disable-extensions",
        "--disable-background-networking", "--disable-component-update", "--host-resolver-rules=MAP * ~NOTFOUND",
        "--user-data-dir=" + folder.url("profile").path, "--window-size=\(width),\(height)",
        "--force-device-scale-factor=1",
        "--blink-settings=preferredColorScheme=\(scheme == .dark ? 0 : 1)", "--virtual-time-budget=10000",
        "--enable-logging=stderr", "--log-level=0",
      ] + extra + [page]
    for name in ["output", "error"] { try Data().write(to: folder.url(name)) }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: folder.url("output"))
    process.standardError = try FileHandle(forWritingTo: folder.url("error"))
    try process.run()
    let watch = DispatchWorkItem { process.terminate() }
    DispatchQueue.global().asyncAfter(deadline: .now() + 120, execute: watch)
    process.waitUntilExit()
    watch.cancel()
    let log = String(decoding: try Data(contentsOf: folder.url("error")), as: UTF8.self)
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw Failure(description: "\(program) ended with \(process.terminationStatus): \(log.suffix(2000))")
    }
    let console = log.split(separator: "\n").filter { $0.contains(":CONSOLE") }.map(String.init)
    return (String(decoding: try Data(contentsOf: folder.url("output")), as: UTF8.self), console)
  }
}

extension ImageBuffer {
  /// Returns the colors of every `step`th pixel in both directions, as `0xRRGGBB`, with their frequencies.
  package func colorCounts(every step: Int = 1) -> [UInt32: Int] {
    var counts: [UInt32: Int] = [:]
    let size = pixelFormat.bytesPerPixel
    withUnsafeBytes { bytes in
      for row in stride(from: 0, to: height, by: step) {
        for column in stride(from: 0, to: width, by: step) {
          let pixel = row * bytesPerRow + column * size
          let (red, green, blue) =
            size >= 3 ? (bytes[pixel], bytes[pixel + 1], bytes[pixel + 2]) : (bytes[pixel], bytes[pixel], bytes[pixel])
          counts[UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue), default: 0] += 1
        }
      }
    }
    return counts
  }
}

/// A directory for one visit that is deleted with the object.
private final class BrowserFolder {
  private let root: URL

  init() throws {
    root = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-browser-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  func url(_ name: String) -> URL { root.appendingPathComponent(name) }
}
