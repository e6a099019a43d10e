import SwiftletVision

/// A picture that a result is about.
struct NamedPicture {
  /// What it is called for people.
  var name: String
  /// Its file, or what stands for it on the command line; `nil` for a frame that came from a pipe.
  var path: String?
  /// What files about it are called, without an ending.
  var stem: String
  var image: MPImage
}
