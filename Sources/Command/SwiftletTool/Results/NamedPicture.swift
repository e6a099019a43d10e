import SwiftletBase
import SwiftletJSON
import SwiftletVision

/// A picture that a result is about.
struct NamedPicture {
  /// What it is called for people.
  var name: String
  /// Its file, or what stands for it on the command line; `nil` for a frame that came from a pipe.
  var path: String?
  /// What files about it are called, without an ending.
  var stem: String
  var image: InputImage

  /// The members of an object in `--json` that every picture has.
  var members: [JSONValue.Member] {
    [
      .init(key: "image", value: .optional(path)), .init(key: "width", value: .int(image.width)),
      .init(key: "height", value: .int(image.height)),
    ]
  }

  /// The object of a picture with a list of what was found.
  func json(_ key: String, _ things: [JSONValue]) -> JSONValue {
    .object(members + [.init(key: key, value: .array(things))])
  }

  /// Lines for people: the picture, and one for each thing that was found.
  func text(_ things: String, _ lines: [String]) -> String {
    "\(name.shown): \(lines.count) \(things)\n" + lines.map { "  \($0.shown)\n" }.joined()
  }
}
