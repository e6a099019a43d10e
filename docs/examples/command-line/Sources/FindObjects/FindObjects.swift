// Detects objects in images and prints one line per object: image, category, score, and the box in pixels.
//
//   FindObjects [--model MODEL.tflite] [--min-score 0.5] IMAGE…
import Foundation
import SwiftletImageCodecs
import SwiftletModels
import SwiftletVision

struct Arguments {
  var model = ModelSource.embedded(.objectDetector)
  var minScore: Float = 0.3
  var images: [String] = []

  init(_ words: [String]) throws(Problem) {
    var words = words[...]
    while let word = words.popFirst() {
      switch word {
      case "--model":
        guard let path = words.popFirst() else { throw Problem("--model needs the path of a model") }
        model = .file(path)
      case "--min-score":
        guard let text = words.popFirst(), let score = Float(text), (0...1).contains(score) else {
          throw Problem("--min-score needs a number from 0 to 1")
        }
        minScore = score
      case let option where option.hasPrefix("--"): throw Problem("there is no option \(option)")
      default: images.append(word)
      }
    }
    if images.isEmpty { throw Problem("usage: FindObjects [--model MODEL.tflite] [--min-score 0.5] IMAGE…") }
  }
}

struct Problem: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

@main
enum FindObjects {
  static func main() {
    var failed = false
    do {
      let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
      let detector = try ObjectDetector(arguments.model) { $0.scoreThreshold = arguments.minScore }
      for path in arguments.images {
        // An unreadable image doesn't prevent the processing of the others.
        do {
          let image = try InputImage(contentsOfFile: path)
          for object in try detector.objects(in: image) { print(line(path, object)) }
        } catch {
          complain("\(path): \(error)")
          failed = true
        }
      }
    } catch {
      complain("\(error)")
      failed = true
    }
    exit(failed ? 1 : 0)
  }

  static func line(_ path: String, _ object: ObjectDetection) -> String {
    let numbers = [object.box.x, object.box.y, object.box.width, object.box.height].map { String(Int($0)) }
    let score = String(format: "%.2f", object.score)
    return ([path, object.label ?? "?", score] + numbers).joined(separator: "\t")
  }

  static func complain(_ text: String) { FileHandle.standardError.write(Data(("FindObjects: " + text + "\n").utf8)) }
}
