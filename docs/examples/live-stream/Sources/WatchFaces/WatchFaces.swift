// Demonstrates a live stream: frames arrive at the rate of a camera, the newest is processed, and frames that arrive in
// the meantime are dropped.
//
//   WatchFaces FOLDER [FRAMES-PER-SECOND]      the images of the directory are the frames, by name
import Foundation
import SwiftletImageCodecs
import SwiftletModels
import SwiftletVision

@main
enum WatchFaces {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count >= 2, let rate = words.count > 2 ? Double(words[2]) : 30, rate > 0 else {
      print("usage: WatchFaces FOLDER [FRAMES-PER-SECOND]")
      exit(2)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: words[1]).filter {
      $0.hasSuffix(".jpg") || $0.hasSuffix(".png")
    }
    let paths = names.sorted().map { words[1] + "/" + $0 }
    let results = try FaceDetector(.embedded(.faceDetector)).live(frames(paths, rate: rate))

    var seen = 0
    for try await frame in results {
      seen += 1
      switch frame.result {
      case .success(let faces): print(frame.time, "faces:", faces.count)
      case .failure(let error): print(frame.time, "error:", error)
      }
    }
    print("looked at \(seen) of \(paths.count) frames, \(results.droppedFrameCount) were dropped")
  }

  /// Simulates a camera: yields each image with its timestamp, one every `1 / rate` seconds.
  static func frames(_ paths: [String], rate: Double) -> AsyncThrowingStream<(InputImage, Duration), any Error> {
    AsyncThrowingStream { stream in
      let camera = Task {
        do {
          for (index, path) in paths.enumerated() {
            let image = try InputImage(contentsOfFile: path)
            stream.yield((image, .seconds(Double(index) / rate)))
            try await Task.sleep(for: .seconds(1 / rate))
          }
          stream.finish()
        } catch {
          stream.finish(throwing: error)
        }
      }
      stream.onTermination = { _ in camera.cancel() }
    }
  }
}
