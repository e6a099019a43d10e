// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "camera-app",
  platforms: [.iOS(.v16), .macCatalyst(.v16)],
  products: [.library(name: "CameraApp", targets: ["CameraApp"])],
  // In your own package, use the URL of Swiftlet's repository and a version.
  dependencies: [.package(name: "swiftlet", path: "../../..")],
  targets: [
    .target(name: "CameraApp", dependencies: [.product(name: "MediaPipeTasksVision", package: "swiftlet")])
  ]
)
